import { isObject } from "../json.js";
import type { Entry, Recording, Sender } from "../recording.js";
import { idKey, subjectOf, type Told, tell } from "../replay/message.js";

/** What a frame is in the conversation. */
export type Role = "request" | "answer" | "failure" | "notification" | "other" | "life";

/** One row of the page. */
export interface Row {
  /** The line of the recording. */
  readonly line: number;
  readonly at: number;
  readonly time: string;
  readonly connection: number;
  readonly from: Sender;
  readonly role: Role;
  /** A tool's name, a method, or what happened. */
  readonly label: string;
  readonly detail: string;
  /** Its answer, or what it answers, as an index into the rows; and how long that took. */
  pair?: number;
  ms?: number;
  readonly text: string;
  /** Characters that are only in the recording. */
  readonly cut: number;
  /** Of the whole frame, in UTF-16 units or bytes. */
  readonly size: number;
}

/** All that the page knows. */
export interface PageData {
  readonly startedAt: string;
  readonly ide: string;
  readonly folders: readonly string[];
  readonly command: readonly string[];
  readonly torn: boolean;
  readonly rows: readonly Row[];
}

/** A page of more than this is slow to open. Of many frames, each gets its share. */
const LARGEST_PAGE = 32 * 1024 * 1024;
const LONGEST_TEXT = 512 * 1024;
const SHORTEST_TEXT = 2_000;
/** What of a row is read at a glance. */
const GLANCE = 120;

export function pageData({ heading, entries, torn }: Recording): PageData {
  const share = Math.floor(LARGEST_PAGE / Math.max(1, entries.length));
  const longest = Math.min(LONGEST_TEXT, Math.max(SHORTEST_TEXT, share));
  const asked = new Map<string, number>();
  const rows: Row[] = [];
  for (const [index, entry] of entries.entries()) {
    const told: Told = entry.kind === "text" ? tell(entry.text) : { kind: "other" };
    const row = rowOf(entry, told, index + 2, longest);
    rows.push(row);
    if (told.kind === "request") asked.set(askedBy(entry.from, entry, told.id), index);
    if (told.kind === "answer") {
      const asker = entry.from === "agent" ? "ide" : "agent";
      join(rows, asked, askedBy(asker, entry, told.id), index);
    }
  }
  const { startedAt, ide, command } = heading;
  return { startedAt, ide: ide.name, folders: ide.folders, command, torn, rows };
}

/** Ids are each side's own, on each connection. */
const askedBy = (asker: Sender, { connection }: Entry, id: unknown): string =>
  `${asker} ${connection} ${idKey(id)}`;

/** An answer is called by what it answers. */
function join(rows: Row[], asked: Map<string, number>, key: string, index: number): void {
  const at = asked.get(key);
  const request = at === undefined ? undefined : rows[at];
  const answer = rows[index];
  if (at === undefined || !request || !answer) return;
  asked.delete(key);
  const ms = Math.round((answer.at - request.at) * 100) / 100;
  rows[at] = { ...request, pair: index, ms };
  rows[index] = { ...answer, label: request.label, pair: at, ms };
}

function rowOf(entry: Entry, told: Told, line: number, longest: number): Row {
  const { at, time, connection, from } = entry;
  const whole = wholeText(entry);
  const text = whole.slice(0, longest);
  return {
    line,
    at,
    time,
    connection,
    from,
    ...meaning(entry, told),
    text,
    cut: whole.length - text.length,
    size: whole.length,
  };
}

function wholeText(entry: Entry): string {
  switch (entry.kind) {
    case "text":
    case "note":
      return entry.text;
    case "open":
      return JSON.stringify({ subprotocol: entry.subprotocol, headers: entry.headers });
    case "close":
      return JSON.stringify({ code: entry.code, reason: entry.reason });
    default:
      return entry.base64;
  }
}

function meaning(entry: Entry, told: Told): Pick<Row, "role" | "label" | "detail"> {
  if (entry.kind === "note") return { role: "life", label: "note", detail: glance(entry.text) };
  if (entry.kind === "close") {
    const detail = glance(`${entry.code} ${entry.reason}`.trim());
    return { role: "life", label: "close", detail };
  }
  if (entry.kind === "open")
    return { role: "life", label: "open", detail: glance(entry.subprotocol) };
  if (entry.kind !== "text") return { role: "other", label: entry.kind, detail: "" };
  switch (told.kind) {
    case "request":
    case "notification": {
      const { params } = told.message;
      const args = isObject(params) && isObject(params.arguments) ? params.arguments : params;
      const detail = args === undefined ? "" : glance(safeJson(args));
      return { role: told.kind, label: glance(subjectOf(told.message)), detail };
    }
    case "answer": {
      const { error, result } = told.message;
      const failed = error !== undefined || (isObject(result) && result.isError === true);
      const detail = glance(safeJson(firstText(result) ?? error ?? result));
      return { role: failed ? "failure" : "answer", label: "answer", detail };
    }
    case "other":
      return { role: "other", label: "not understood", detail: glance(entry.text) };
  }
}

/** What tools answer is mostly one text. */
function firstText(result: unknown): unknown {
  if (!isObject(result) || !Array.isArray(result.content)) return undefined;
  const texts = result.content.flatMap((item) =>
    isObject(item) && typeof item.text === "string" ? [item.text.slice(0, GLANCE)] : [],
  );
  return texts.length > 0 ? texts.join(" · ") : undefined;
}

const glance = (text: string): string =>
  text.length > GLANCE ? `${text.slice(0, GLANCE)}…` : text;

/** What is nested too deeply to be written again is not worth a glance. */
function safeJson(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

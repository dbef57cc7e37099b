import { classify, type Id } from "@lockstep/protocol";

/** Messages up to here are parsed; of longer ones only both ends are looked at. */
const PARSED = 16 * 1024;
const END = 1_024;
const DETAIL = 2 * 1024;

/** What the log needs to know of a message. */
export type Glance =
  | { readonly kind: "request"; readonly id: Id; readonly method: string; readonly params: Params }
  | { readonly kind: "notification"; readonly method: string; readonly params: Params }
  | { readonly kind: "answer"; readonly id: Id; readonly failed: boolean };
type Params = Readonly<Record<string, unknown>>;

/**
 * What a message on the wire is. A message of 50 MB costs as much as one of 16 KB: its method, id and
 * first arguments stand at its ends, whoever wrote it.
 */
export function glance(text: string): readonly Glance[] {
  if (text.length > PARSED) return glanceAtEnds(copy(text.slice(0, END)), copy(text.slice(-END)));
  try {
    const value: unknown = JSON.parse(text);
    return (Array.isArray(value) ? value : [value]).flatMap(glanceAt);
  } catch {
    return [];
  }
}

/** The message, shortened. */
export function detailOf(text: string): string {
  if (text.length <= DETAIL) return text;
  return `${copy(text.slice(0, DETAIL))}… (${text.length.toLocaleString("en")} characters)`;
}

function glanceAt(value: unknown): readonly Glance[] {
  const message = classify(value);
  switch (message.kind) {
    case "request":
    case "notification":
      return [{ ...message, params: asRecord(message.params) }];
    case "result":
      return [
        { kind: "answer", id: message.id, failed: asRecord(message.result).isError === true },
      ];
    case "error":
      return message.id === null ? [] : [{ kind: "answer", id: message.id, failed: true }];
    default:
      return [];
  }
}

/** A quote inside a JSON string is escaped, so that a text that is sent cannot pass for a key. */
function glanceAtEnds(head: string, tail: string): readonly Glance[] {
  const find = (key: string) => stringAfter(key, head) ?? stringAfter(key, tail);
  const method = find("method");
  const id = idIn(head) ?? idIn(tail);
  if (method === null) {
    if (id === null) return [];
    return [{ kind: "answer", id, failed: /"isError":\s*true/.test(head + tail) }];
  }
  const args = Object.fromEntries(
    ["new_file_path", "old_file_path", "filePath", "path"].map((key) => [key, find(key)]),
  );
  const params = { ...args, name: find("name"), arguments: args };
  return [
    id === null
      ? { kind: "notification", method, params }
      : { kind: "request", id, method, params },
  ];
}

function stringAfter(key: string, text: string): string | null {
  const [, quoted] = new RegExp(`"${key}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(text) ?? [];
  try {
    return quoted === undefined ? null : String(JSON.parse(quoted));
  } catch {
    return null;
  }
}

/** Beside `"jsonrpc"`, before or after it; the arguments of a call may have ids of their own. */
function idIn(text: string): Id | null {
  const id = '"id"\\s*:\\s*("[^"\\\\]*"|-?\\d+(?:\\.\\d+)?)';
  const version = '"jsonrpc"\\s*:\\s*"2\\.0"';
  const found =
    new RegExp(`${version}\\s*,\\s*${id}`).exec(text) ??
    new RegExp(`${id}\\s*,\\s*${version}`).exec(text) ??
    new RegExp(`${id}\\s*}\\s*$`).exec(text);
  return found?.[1] === undefined ? null : (JSON.parse(found[1]) as Id);
}

/** A part of a string keeps all of it in memory; a copy does not. */
const copy = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");

function asRecord(value: unknown): Params {
  return typeof value === "object" && value !== null ? (value as Params) : {};
}

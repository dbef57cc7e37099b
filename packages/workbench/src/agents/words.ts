import type { AgentEvent, WithheldReason } from "@lockstep/editor";
import {
  baseName,
  filePath,
  isWithin,
  Notification,
  parseUri,
  printable,
  slashes,
  type Uri,
} from "@lockstep/protocol";

type Params = Readonly<Record<string, unknown>>;

const WITHHELD: Readonly<Record<WithheldReason, string>> = {
  "sharing-is-off": "sharing is switched off",
  "denied-here": "it holds secrets, or your settings keep it private",
  "denied-by-agent": "the agent's own rules deny it",
  "git-ignored": "git ignores it",
};
const EVENTS: Readonly<Record<Exclude<AgentEvent["kind"], "withheld">, string>> = {
  connected: "connected",
  left: "left",
  turn: "was sent a prompt",
  outdated: "says that this editor is too old for it",
};

/** How the log and the page put what passes between agents and the editor. */
export class Words {
  readonly #folders: readonly string[];

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  event(event: AgentEvent): string {
    if (event.kind !== "withheld") return EVENTS[event.kind];
    return printable(`${this.#file(event.uri)}: ${WITHHELD[event.why]}`);
  }

  /** "selection_changed src/a.ts, lines 3 to 7". */
  notification(method: string, params: Params): string {
    const about = this.#about(params);
    const lines = method === Notification.atMentioned ? mentioned(params) : selected(params);
    return title([method, about && lines ? `${about}, ${lines}` : about]);
  }

  /** "openDiff src/a.ts". */
  call(method: string, params: Params): string {
    if (method !== "tools/call") return title([method, this.#about(params)]);
    const name = typeof params.name === "string" ? params.name : method;
    return title([name, this.#about(asRecord(params.arguments))]);
  }

  /** The file that a message is about; "" if none. */
  #about(params: Params): string {
    const { new_file_path, old_file_path, filePath, path, uri, uris, tab_name } = params;
    if (Array.isArray(uris) && uris.length > 1) return `${uris.length} files`;
    const [first] = Array.isArray(uris) ? uris : [];
    const named = [new_file_path, old_file_path, filePath, path, uri, first, tab_name];
    const name = named.find((value) => typeof value === "string" && value !== "");
    return typeof name === "string" ? this.#file(name.slice(0, 1_000)) : "";
  }

  /** From the workspace on. */
  #file(name: string): string {
    const parsed = name.startsWith("file:") ? parseUri(name) : null;
    const path = (parsed && filePath(parsed as Uri)) ?? name;
    const folder = this.#folders.find((candidate) => isWithin(path, candidate));
    if (folder === undefined) return path;
    return slashes(path.slice(folder.length)).replace(/^\//, "") || baseName(folder);
  }
}

function selected(params: Params): string {
  const { start, end, isEmpty } = asRecord(params.selection);
  const first = asRecord(start).line;
  const { line, character } = asRecord(end);
  if (isEmpty === true || typeof first !== "number" || typeof line !== "number") return "";
  // A selection that ends before the first character of a line does not hold that line.
  return lineWords(first, character === 0 && line > first ? line - 1 : line);
}

function mentioned({ lineStart, lineEnd }: Params): string {
  if (typeof lineStart !== "number" || typeof lineEnd !== "number") return "";
  return lineWords(lineStart, lineEnd);
}

/** People count lines from 1. */
function lineWords(first: number, last: number): string {
  return first === last ? `line ${first + 1}` : `lines ${first + 1} to ${last + 1}`;
}

const title = (parts: readonly string[]): string =>
  printable(parts.filter((part) => part !== "").join(" ")).slice(0, 300);

function asRecord(value: unknown): Params {
  return typeof value === "object" && value !== null ? (value as Params) : {};
}

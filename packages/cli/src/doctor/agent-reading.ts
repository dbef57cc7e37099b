import { resolve } from "node:path";
import { isWithin } from "@lockstep/protocol";

/**
 * A lock file as Claude Code reads it. It checks nothing, so whatever JavaScript makes of a value counts. An editor's
 * slip can so make it connect, or keep it from every other editor.
 */
export interface AgentReading {
  /** Null where it gives none. */
  readonly name: string | null;
  /** Null where it names none: then no process is looked for. NaN, which no process has, where it is no number. */
  readonly pid: number | null;
  /** Those that are compared with the agent's own folder. */
  readonly folders: readonly string[];
  /** Over what the whole search for editors fails, and where; null if over nothing. */
  readonly trips: Trip | null;
  /** By anything else than a WebSocket an editor of this protocol is not reached. */
  readonly overWebSocket: boolean;
  /** A function, so that nothing which prints this prints the token. Empty where none is sent. */
  readonly token: () => string;
}

export interface Trip {
  /** Over its folders while it compares them, or over its name once they have matched. */
  readonly over: "folders" | "name";
  /** Such as `7`. */
  readonly value: string;
}

/**
 * Whether the agent takes it for an editor of its own folder, or of one above: it resolves paths from there, follows
 * no link, and spells accents in one way.
 */
export function isAround({ folders }: AgentReading, cwd: string): boolean {
  const here = cwd.normalize("NFC");
  return folders.some((folder) => isWithin(here, resolve(here, folder.normalize("NFC"))));
}

/** The port in a file's name; null for a file that is passed over. NaN, which counts, where the name begins with no number. */
export function agentPort(fileName: string): number | null {
  return fileName.endsWith(".lock") ? Number.parseInt(fileName, 10) : null;
}

export function readAsAgent(text: string): AgentReading {
  const lock = parsed(text);
  // The first editors wrote a folder on each line.
  if (lock === null) return { ...NOTHING, folders: linesOf(text) };
  const { workspaceFolders, pid, ideName, transport, authToken } = lock;
  const { folders, odd } = compared(workspaceFolders || []);
  const name = ideName || null;
  return {
    name: typeof name === "string" ? name : null,
    // `true` and `[1]` are 1 here, too.
    pid: pid ? Number(pid) : null,
    folders,
    trips:
      odd !== undefined
        ? { over: "folders", value: shown(odd) }
        : name !== null && typeof name !== "string"
          ? { over: "name", value: shown(name) }
          : null,
    overWebSocket: transport === "ws",
    token: () => (authToken ? String(authToken) : ""),
  };
}

const NOTHING: AgentReading = {
  name: null,
  pid: null,
  folders: [],
  trips: null,
  overWebSocket: false,
  token: () => "",
};

const linesOf = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return value === null ? null : Object(value);
  } catch {
    return null;
  }
}

/** A text is gone through letter by letter. What comes behind the first odd value is never looked at. */
function compared(list: unknown): { readonly folders: readonly string[]; readonly odd?: unknown } {
  if (typeof list !== "string" && !Array.isArray(list)) return { folders: [], odd: list };
  const folders: string[] = [];
  for (const folder of list as Iterable<unknown>) {
    if (!folder) continue;
    if (typeof folder !== "string") return { folders, odd: folder };
    folders.push(folder);
  }
  return { folders };
}

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 40);

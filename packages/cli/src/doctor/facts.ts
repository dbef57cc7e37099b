import type { Ide } from "@lockstep/client";
import type { AgentReading } from "./agent-reading.js";

/** All that decides whether an agent that is started here finds an editor, as it was found. */
export interface Facts {
  /** Without links, as the system tells it to the agent. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Those above this process that an agent would look at, the nearest first. */
  readonly ancestors: readonly number[];
  /** The main folder of the git repository that `cwd` is another worktree of. */
  readonly mainWorktree: string | null;
  /** `"autoConnectIde": true` in the agent's own settings. */
  readonly autoConnects: boolean;
  /** Runs in the Windows Subsystem for Linux. */
  readonly inWsl: boolean;
  readonly places: readonly PlaceFact[];
  readonly locks: readonly LockFact[];
}

/** A folder in which editors leave lock files. */
export interface PlaceFact {
  readonly folder: string;
  /** Whether the agent looks there. */
  readonly searched: boolean;
  /** How we came to look there, for a person: "~/.claude", "$CLAUDE_CONFIG_DIR". */
  readonly from: string;
  /** Only another process has it set, so it is its own affair but for an editor of this folder. */
  readonly borrowed: boolean;
  readonly exists: boolean;
  /** Why it cannot be read; null if it can. */
  readonly unreadable: string | null;
  readonly writableByOthers: boolean;
}

export interface LockFact {
  readonly path: string;
  readonly place: PlaceFact;
  /** As the agent takes it from the file's name; NaN where that begins with no number. */
  readonly port: number;
  readonly name: string;
  /** As they are written. */
  readonly folders: readonly string[];
  /** In milliseconds since 1970; the agent looks at the newest first. */
  readonly writtenAt: number;
  readonly reading: Reading;
  /** As a careful client reads it. */
  readonly ide: Ide;
  /** What is wrong with the contents, field by field. */
  readonly faults: readonly string[];
  readonly process: ProcessFact | null;
  /** Where the agent looks for the port; null where what is named makes no address. */
  readonly address: Address | null;
  /** Who is there. */
  readonly listener: ListenerFact | null;
  /** The folders without links, where they exist. */
  readonly realFolders: readonly string[];
  /** What a connection showed; null if none was tried, so that no token goes to a stranger. */
  readonly probe: ProbeFact | null;
}

/** What comes of the agent's reading a lock file. */
export type Reading =
  | { readonly kind: "read"; readonly lock: AgentReading }
  | { readonly kind: "unreadable" }
  /** A pipe: the agent waits for its end, and looks at nothing else meanwhile. */
  | { readonly kind: "endless" };

export interface Address {
  readonly host: string;
  readonly port: number;
  /** On this machine: only there is anything told to whoever answers. */
  readonly here: boolean;
}

/** The process that a lock file names. */
export interface ProcessFact {
  readonly pid: number;
  readonly alive: boolean;
  /** Such as "code"; "" where the system does not say. */
  readonly command: string;
  readonly uid: number | null;
}

/** Who has the port. */
export interface ListenerFact {
  readonly uid: number | null;
  readonly pid: number | null;
  readonly command: string;
  /** Its number inside of its own namespace (a container), where that is another one. */
  readonly innerPid: number | null;
  /** It takes connections from other machines. */
  readonly everywhere: boolean;
}

export interface ProbeFact {
  /** Why no conversation came about; null if it did. */
  readonly refused: string | null;
  readonly tokenAccepted: boolean | null;
  readonly server: string;
  readonly protocolVersion: string;
  /** Null where it gave no list. */
  readonly tools: readonly string[] | null;
  readonly roundTripMs: number | null;
  /** Lets in whoever does not know the token. */
  readonly open: boolean;
  /** Lets in what a web page sends. */
  readonly openToPages: boolean;
}

import type { Ide } from "@lockstep/client";

/** All that decides whether an agent that is started here finds an editor, as it was found. */
export interface Facts {
  /** Without links, as the system tells it to the agent. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** This process and those above it, the nearest first. */
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
  /** What lies there and is not called like a lock file. */
  readonly strangers: readonly string[];
}

export interface LockFact {
  readonly path: string;
  readonly place: PlaceFact;
  readonly port: number;
  /** As a careful client reads it. */
  readonly ide: Ide;
  /** What is wrong with the contents, field by field. */
  readonly faults: readonly string[];
  readonly process: ProcessFact | null;
  readonly listener: ListenerFact | null;
  /** Whether the port answers on the host that CLAUDE_CODE_IDE_HOST_OVERRIDE names, if it names one. */
  readonly answersAtHost: boolean;
  /** The folders without links, where they exist. */
  readonly realFolders: readonly string[];
  /** What a connection showed; null if none was tried, so that no token goes to a stranger. */
  readonly probe: ProbeFact | null;
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
  readonly tools: readonly string[];
  readonly roundTripMs: number | null;
  /** Lets in whoever does not know the token. */
  readonly open: boolean;
  /** Lets in what a web page sends. */
  readonly openToPages: boolean;
}

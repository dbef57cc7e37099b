/** What is wrong with an announced IDE. A fatal problem means that it gets no token of ours. */
export interface Problem {
  readonly code:
    | "not-an-ordinary-file"
    | "not-yours"
    | "writable-by-others"
    | "readable-by-others"
    | "not-a-lock-file"
    | "other-transport"
    | "process-gone"
    | "not-listening"
    | "port-not-yours";
  readonly fatal: boolean;
  readonly message: string;
}

/** An editor that announces itself by a lock file. */
export interface Ide {
  readonly port: number;
  /**
   * Where the port is, if not on 127.0.0.1. No lock file says so and nothing here sets it: whoever does
   * has the token sent there.
   */
  readonly host?: string;
  readonly name: string;
  readonly pid: number | null;
  readonly folders: readonly string[];
  /** More than one where it is announced in several folders. */
  readonly lockFiles: readonly string[];
  /** When the lock file was written, in milliseconds since 1970. */
  readonly announcedAt: number;
  readonly problems: readonly Problem[];
  /** A function, so that nothing which prints an Ide prints its token. Empty where none is asked. */
  readonly token: () => string;
}

export function isUsable(ide: Ide): boolean {
  return !ide.problems.some((problem) => problem.fatal);
}

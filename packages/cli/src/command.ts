/** One command of `lockstep`. Answers the exit code. */
export interface Command {
  /** Shown by --help, with examples. */
  readonly help: string;
  run(args: readonly string[]): Promise<number>;
}

/** The command line itself is wrong; the message says how it should be. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

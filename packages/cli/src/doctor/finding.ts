/** One thing that a person should know, in the order in which the agent stumbles over it. */
export interface Finding {
  /** Stable, for scripts. */
  readonly code: string;
  /** "fault": it keeps the agent from connecting. "danger": a stranger may get in. */
  readonly level: "fault" | "danger" | "warning" | "note";
  readonly what: string;
  readonly why: string;
  /** What to do, as a sentence or a command. */
  readonly fix: string;
  /** What `--fix` does about it. */
  readonly remedy?: Remedy;
}

/** Only what cannot harm a running editor. */
export type Remedy =
  | { readonly kind: "remove"; readonly lockFile: string; readonly port: number }
  | { readonly kind: "close"; readonly path: string; readonly mode: number };

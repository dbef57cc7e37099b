// What goes over the channel between the bench and the process of a server.

/** Where a server is to work; its first argument, as JSON. */
export interface Place {
  /** The one workspace folder. */
  readonly workspace: string;
  /** Lock files go into its folder `ide`. */
  readonly configDir: string;
  readonly stateDir: string;
  /** False for agents that stop answering on purpose. */
  readonly keepalive: boolean;
}

/** A person who moves the selection. Each one is told apart by the column it starts at, from 1 on. */
export interface Stroll {
  readonly selections: number;
  readonly gapMs: number;
  /** How many characters each selection holds. */
  readonly width: number;
}

export const LONGEST_STROLL = 10_000;

export interface Memory {
  /** Resident set, in bytes. */
  readonly rss: number;
  /** What is in use inside it: objects and buffers. */
  readonly used: number;
}

export type Order =
  | { readonly kind: "weigh" }
  | { readonly kind: "stroll"; readonly stroll: Stroll }
  | { readonly kind: "stop" };

export type Report =
  /** `lockedAt`: when the lock file was there, in machine time. */
  | {
      readonly kind: "ready";
      readonly port: number;
      readonly lockFile: string;
      readonly lockedAt: number;
    }
  | { readonly kind: "weighed"; readonly memory: Memory }
  /** When each selection was made, in machine time. */
  | { readonly kind: "strolled"; readonly selectedAt: readonly number[] };

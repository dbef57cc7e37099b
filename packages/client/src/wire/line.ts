import type { RequestOptions } from "@lockstep/protocol";

/** A way to ask an editor: one conversation, or one after the other. */
export interface Line {
  readonly serverName: string;
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  /** Resolves when it has ended for good, by either side. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

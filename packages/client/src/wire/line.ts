import type { RequestOptions } from "@lockstep/protocol";

/** How an editor introduces itself. */
export interface Server {
  readonly name: string;
  /** "" where it does not say. */
  readonly version: string;
  /** Of MCP; "" where it does not say. */
  readonly protocolVersion: string;
}

/** A way to ask an editor: one conversation, or one after the other. */
export interface Line {
  readonly server: Server;
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  /** Resolves when it has ended for good, by either side. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

import type { RequestOptions } from "@lockstep/protocol";
import { IdeError } from "../errors.js";
import type { Socket } from "../wire/socket.js";
import type { Ide } from "./ide.js";

/** A socket whose messages can be held up, for those who pass them on. */
export interface OpenSocket extends Socket {
  /** No more is read until it is resumed. */
  pause(): void;
  resume(): void;
  /** The bytes that the other side has not taken yet. */
  readonly unsent: number;
}

/** Opens the WebSocket of an editor, without a word of MCP. An editor that is not to be trusted gets no token. */
export async function dial(ide: Ide, options: RequestOptions = {}): Promise<OpenSocket> {
  const [worst] = ide.problems.filter(({ fatal }) => fatal);
  // Its token must not go to somebody who only pretends to be the editor.
  if (worst) throw new IdeError("unusable", `The editor on port ${ide.port}: ${worst.message}`);
  // Loaded here: whoever only looks for editors does not pay for the WebSocket.
  const { openSocket } = await import("./open-socket.js");
  return openSocket(ide, options);
}

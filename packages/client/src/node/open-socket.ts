import { type RequestOptions, SUBPROTOCOL } from "@lockstep/protocol";
import { WebSocket } from "ws";
import type { OpenSocket } from "./dial.js";
import type { Ide } from "./ide.js";
import { openLink } from "./open-link.js";

/** What ws says of a server that selects no subprotocol; there is no option to let that pass. */
const NO_SUBPROTOCOL = "Server sent no subprotocol";

/** Opens the WebSocket that a lock file announces. */
export async function openSocket(ide: Ide, options: RequestOptions): Promise<OpenSocket> {
  try {
    return await open(ide, [SUBPROTOCOL], options);
  } catch (error) {
    const { cause } = error as Error;
    if (!(cause instanceof Error) || cause.message !== NO_SUBPROTOCOL) throw error;
    return open(ide, [], options);
  }
}

async function open(ide: Ide, protocols: string[], options: RequestOptions): Promise<OpenSocket> {
  return asSocket(await openLink(ide, { ...options, protocols }));
}

/** The code of a connection that ended without a word. */
const GONE = 1006;

/** A close that the other side does not answer must not hold us. */
const CLOSE_MS = 2_000;

function asSocket(socket: WebSocket): OpenSocket {
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close() {
      // One that is paused would not hear of its end.
      socket.resume();
      socket.close();
      setTimeout(() => socket.terminate(), CLOSE_MS).unref();
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    get unsent() {
      return socket.bufferedAmount;
    },
    listen(listener) {
      socket.on("message", (data) => listener.message(data.toString()));
      socket.on("close", (code, reason) => listener.closed(code, reason.toString()));
      if (socket.readyState === WebSocket.CLOSED) listener.closed(GONE, "");
      socket.resume();
    },
  };
}

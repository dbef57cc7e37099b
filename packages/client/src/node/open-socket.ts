import { AUTH_HEADER, type RequestOptions, SUBPROTOCOL } from "@lockstep/protocol";
import { WebSocket } from "ws";
import { IdeError, refusedToken } from "../errors.js";
import type { Socket } from "../wire/socket.js";
import type { Ide } from "./ide.js";

/** What ws says of a server that selects no subprotocol; there is no option to let that pass. */
const NO_SUBPROTOCOL = "Server sent no subprotocol";

/** Opens the WebSocket that a lock file announces. */
export async function openSocket(ide: Ide, options: RequestOptions): Promise<Socket> {
  try {
    return await open(ide, [SUBPROTOCOL], options);
  } catch (error) {
    const { cause } = error as Error;
    if (!(cause instanceof Error) || cause.message !== NO_SUBPROTOCOL) throw error;
    return open(ide, [], options);
  }
}

function open(ide: Ide, protocols: string[], options: RequestOptions): Promise<Socket> {
  const { timeoutMs, signal } = options;
  const token = ide.token();
  const socket = new WebSocket(`ws://127.0.0.1:${ide.port}/`, protocols, {
    headers: token === "" ? {} : { [AUTH_HEADER]: token },
    perMessageDeflate: false,
    handshakeTimeout: timeoutMs,
    followRedirects: false,
  });
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal?.reason);
      socket.terminate();
    };
    socket.once("open", () => {
      signal?.removeEventListener("abort", abort);
      resolve(asSocket(socket));
    });
    socket.once("unexpected-response", (_request, { statusCode }) => {
      const answered = `${ide.name} on port ${ide.port} answered ${statusCode}. Restart the editor.`;
      reject(statusCode === 401 ? refusedToken() : new IdeError("refused", answered));
      socket.terminate();
    });
    socket.on("error", (cause) => {
      signal?.removeEventListener("abort", abort);
      const message = `${ide.name} on port ${ide.port} cannot be reached: ${cause.message}`;
      reject(new IdeError("unreachable", message, { cause }));
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

/** A close that the other side does not answer must not hold us. */
const CLOSE_MS = 2_000;

function asSocket(socket: WebSocket): Socket {
  // What arrives between opening and listening is kept: it may be the refusal of the token.
  let early: (() => void)[] | undefined = [];
  let listener: Parameters<Socket["listen"]>[0] | undefined;
  const pass = (event: () => void) => (early ? void early.push(event) : event());
  socket.on("message", (data) => pass(() => listener?.message(data.toString())));
  socket.on("close", (code, reason) => pass(() => listener?.closed(code, reason.toString())));
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close() {
      socket.close();
      setTimeout(() => socket.terminate(), CLOSE_MS).unref();
    },
    listen(given) {
      listener = given;
      const kept = early ?? [];
      early = undefined;
      for (const event of kept) event();
    },
  };
}

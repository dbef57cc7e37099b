import { isIPv6 } from "node:net";
import { AUTH_HEADER, type RequestOptions } from "@lockstep/protocol";
import { WebSocket } from "ws";
import { IdeError, refusedToken } from "../errors.js";
import type { Ide } from "./ide.js";

export interface LinkOptions extends RequestOptions {
  /** The subprotocols to offer. */
  readonly protocols: readonly string[];
  /** What else is said in the upgrade, besides the token. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether pings are answered here; by default they are. */
  readonly autoPong?: boolean;
}

/**
 * Opens the WebSocket that a lock file announces, and says nothing on it. It is paused, so that
 * nothing of what has arrived is missed: resume it once you listen.
 */
export function openLink(ide: Ide, options: LinkOptions): Promise<WebSocket> {
  const { protocols, timeoutMs, signal, autoPong = true } = options;
  const token = ide.token();
  const { host = "127.0.0.1", port } = ide;
  const socket = new WebSocket(
    `ws://${isIPv6(host) ? `[${host}]` : host}:${port}/`,
    [...protocols],
    {
      headers: { ...options.headers, ...(token === "" ? {} : { [AUTH_HEADER]: token }) },
      perMessageDeflate: false,
      handshakeTimeout: timeoutMs,
      followRedirects: false,
      autoPong,
    },
  );
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal?.reason);
      socket.terminate();
    };
    socket.once("open", () => {
      signal?.removeEventListener("abort", abort);
      socket.pause();
      resolve(socket);
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

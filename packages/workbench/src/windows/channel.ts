import { invalidParams, Peer, type PeerLimits } from "@lockstep/protocol";
import type { WebSocket } from "ws";
import { LARGEST_MESSAGE } from "../contract/index.js";
import type { Bodies } from "./bodies.js";
import { type AllHandlers, answerCall } from "./router.js";
import type { Window } from "./window.js";

const LIMITS: PeerLimits = { requests: 1_000, characters: 64 * 1024 * 1024 };

/** What a window that does not read may leave unread before it is dropped; it comes back by itself. */
const MOST_UNREAD = 32 * 1024 * 1024;

export interface ChannelOptions {
  readonly number: number;
  readonly handlers: AllHandlers;
  readonly bodies: Bodies;
  readonly report: (problem: unknown) => void;
}

/** A page on its WebSocket. Long messages go by way of the bodies. */
export function openChannel(socket: WebSocket, options: ChannelOptions): Window {
  const { number, handlers, bodies, report } = options;
  const listeners = new Set<() => void>();
  const send = (text: string) => {
    if (socket.bufferedAmount > MOST_UNREAD) socket.terminate();
    else socket.send(text);
  };
  const window: Window = {
    number,
    send: (name, event) => {
      const long = JSON.stringify(event);
      const params = long.length > LARGEST_MESSAGE ? { $body: bodies.put(long) } : event;
      peer.notify(name, params);
    },
    onClose: (listener) => {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
  const peer = new Peer({
    send,
    limits: LIMITS,
    onFault: report,
    onRequest: async (method, params) => {
      const result = await answerCall(handlers, method, whole(params, bodies), window);
      const long = JSON.stringify(result);
      return long.length > LARGEST_MESSAGE ? { $body: bodies.put(long) } : result;
    },
  });
  socket.on("message", (data) => peer.receive(data.toString()));
  socket.on("error", () => {});
  socket.on("close", () => {
    peer.close();
    for (const listener of listeners) listener();
  });
  return window;
}

/** What was sent by HTTP before, if the message says so. */
function whole(params: unknown, bodies: Bodies): unknown {
  if (typeof params !== "object" || params === null || !("$body" in params)) return params;
  const text = typeof params.$body === "string" ? bodies.take(params.$body) : null;
  if (text === null) throw invalidParams("this body is not there");
  try {
    return JSON.parse(text);
  } catch {
    throw invalidParams("this body is not JSON");
  }
}

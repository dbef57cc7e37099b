import type { WebSocket } from "ws";

/** An agent that lets this much pile up has stopped reading. One large message may still exceed it. */
const HARD_CAP = 64 * 1024 * 1024;
/** To answer the latest ping is enough; an agent that does not read pongs would pile them up. */
const BACKED_UP = 64 * 1024;
/** One that is told to go and stays is made to. */
const GOODBYE_MS = 1_000;

/** An agent that was let in, and nothing but its messages. */
export class AgentSocket {
  readonly #socket: WebSocket;

  constructor(
    socket: WebSocket,
    listener: { readonly message: (text: string) => void; readonly closed: () => void },
  ) {
    this.#socket = socket;
    socket.on("message", (data) => listener.message(data.toString()));
    socket.once("close", listener.closed);
    // A protocol error of the agent; ws closes the connection with the right code by itself.
    socket.on("error", () => {});
    socket.on("ping", (data) => {
      if (socket.bufferedAmount <= BACKED_UP) socket.pong(data);
    });
  }

  /** An agent that does not read what it is sent is cut off, so that memory stays bounded. */
  send(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > HARD_CAP) this.#socket.terminate();
    else this.#socket.send(text);
  }

  /** While it is held, nothing more is read from the agent. */
  hold(held: boolean): void {
    if (held) this.#socket.pause();
    else this.#socket.resume();
  }

  close(reason: string): void {
    // One that is paused would not hear of its own end.
    this.#socket.resume();
    this.#socket.close(1001, reason);
    setTimeout(() => this.#socket.terminate(), GOODBYE_MS).unref();
  }
}

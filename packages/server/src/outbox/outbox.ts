import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** State is not pushed while more than this is waiting. Above Node's own mark for "drain". */
const BACKED_UP = 64 * 1024;

/** An agent that lets this much pile up has stopped reading. One large message may still exceed it. */
const HARD_CAP = 64 * 1024 * 1024;

/**
 * What goes out to one agent, in order. Results are never dropped, and state waits outside until the
 * socket has drained; an agent that stops reading is cut off, so that memory stays bounded.
 */
export class Outbox {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket, stream: Duplex, onDrained: () => void) {
    this.#socket = socket;
    stream.on("drain", onDrained);
    // To answer the latest ping is enough; an agent that does not read pongs would pile them up.
    socket.on("ping", (data) => {
      if (this.ready) socket.pong(data);
    });
  }

  get ready(): boolean {
    return this.#socket.bufferedAmount <= BACKED_UP;
  }

  send(message: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > HARD_CAP) this.#socket.terminate();
    else this.#socket.send(message);
  }
}

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { LockstepServer } from "../../src/index.js";
import { UPGRADE } from "../raw-http.js";
import { tokenOf } from "../wire-agent.js";

export const Opcode = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface FrameOptions {
  readonly opcode?: number;
  readonly fin?: boolean;
  /** The three reserved bits, as a number up to 7. */
  readonly reserved?: number;
  readonly masked?: boolean;
  /** What the frame says of its length, which may be a lie. */
  readonly length?: bigint;
}

/** One frame of RFC 6455, well formed unless the options say otherwise. */
export function frame(payload: string | Buffer, options: FrameOptions = {}): Buffer {
  const { opcode = Opcode.text, fin = true, reserved = 0, masked = true } = options;
  const data = Buffer.from(payload);
  const length = options.length ?? BigInt(data.length);
  const first = (fin ? 0x80 : 0) | (reserved << 4) | opcode;
  const mask = masked ? 0x80 : 0;
  const head = length < 126n ? Buffer.alloc(2) : Buffer.alloc(length < 65536n ? 4 : 10);
  head[0] = first;
  if (head.length === 2) head[1] = mask | Number(length);
  else if (head.length === 4) {
    head[1] = mask | 126;
    head.writeUInt16BE(Number(length), 2);
  } else {
    head[1] = mask | 127;
    head.writeBigUInt64BE(length, 2);
  }
  // A mask of zeros leaves the payload as it is, which is allowed, and quicker to write.
  return Buffer.concat([head, Buffer.alloc(masked ? 4 : 0), data]);
}

/** An agent that has the token and keeps no rule of WebSocket besides. */
export class RawAgent {
  readonly socket: Socket;
  /** How many frames came, by their opcode. */
  readonly counts = new Map<number, number>();
  /** The close code that the server gave; null if the connection ended without one. */
  readonly closed: Promise<number | null>;
  #unread = Buffer.alloc(0);
  #code: number | null = null;

  private constructor(socket: Socket, rest: Buffer) {
    this.socket = socket;
    this.#read(rest);
    socket.on("data", (chunk) => this.#read(chunk));
    socket.on("error", () => {});
    this.closed = once(socket, "close").then(() => this.#code);
  }

  static async open(server: LockstepServer, token = tokenOf(server)): Promise<RawAgent> {
    const socket = connect({ port: server.port, host: "127.0.0.1" });
    const host = `Host: 127.0.0.1:${server.port}`;
    const auth = `X-Claude-Code-Ide-Authorization: ${token}`;
    socket.write(`GET / HTTP/1.1\r\n${[host, auth, ...UPGRADE].join("\r\n")}\r\n\r\n`);
    let head = Buffer.alloc(0);
    while (!head.includes("\r\n\r\n")) {
      const [chunk] = (await once(socket, "data")) as [Buffer];
      head = Buffer.concat([head, chunk]);
    }
    if (!head.toString("latin1").startsWith("HTTP/1.1 101")) throw new Error("Not upgraded");
    return new RawAgent(socket, head.subarray(head.indexOf("\r\n\r\n") + 4));
  }

  /** Resolves when the server's side has taken it. */
  write(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()));
  }

  #read(chunk: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    for (;;) {
      const { length: available } = this.#unread;
      if (available < 2) return;
      const opcode = (this.#unread[0] ?? 0) & 0x0f;
      const short = (this.#unread[1] ?? 0) & 0x7f;
      const head = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (available < head) return;
      const length =
        head === 2
          ? short
          : head === 4
            ? this.#unread.readUInt16BE(2)
            : Number(this.#unread.readBigUInt64BE(2));
      if (available < head + length) return;
      this.counts.set(opcode, (this.counts.get(opcode) ?? 0) + 1);
      if (opcode === Opcode.close && length >= 2) this.#code = this.#unread.readUInt16BE(head);
      this.#unread = this.#unread.subarray(head + length);
    }
  }
}

export const request = (id: unknown, method: string, params?: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

/** Bytes that are no text in any encoding. */
export const noise = (length: number): Buffer => randomBytes(length);

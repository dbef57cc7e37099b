import { once } from "node:events";
import { AUTH_HEADER, SUBPROTOCOL } from "@lockstep/protocol";
import { WebSocket } from "ws";

interface Frame {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A reply that is too large to be anything else; its time is taken before it is parsed. */
interface Awaited {
  readonly bytes: number;
  readonly resolve: (reply: Buffer) => void;
}

/** The load generator's end: an agent that is the same for every server. */
export class Agent {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  #large: Awaited | undefined;
  #nextId = 1;

  onNotification: (method: string, params: unknown) => void = () => {};

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data: Buffer) => this.#receive(data));
    socket.on("close", () => {
      const gone = new Error("The server closed the connection");
      for (const { reject } of this.#waiting.values()) reject(gone);
    });
  }

  /** Connects and introduces itself. */
  static async connect({ port, token }: { port: number; token: string }): Promise<Agent> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, [SUBPROTOCOL], {
      headers: { [AUTH_HEADER]: token },
      perMessageDeflate: false,
    });
    const agent = new Agent(socket);
    await once(socket, "open");
    await agent.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "0.1.0" },
    });
    agent.#send({ method: "notifications/initialized" });
    return agent;
  }

  request(method: string, params: unknown): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  call(tool: string, args: object): Promise<unknown> {
    return this.request("tools/call", { name: tool, arguments: args });
  }

  /** Sends a ready-made request and resolves to the first message of at least `bytes`, unparsed. */
  exchange(request: string, bytes: number): Promise<Buffer> {
    return new Promise((resolve) => {
      this.#large = { bytes, resolve };
      this.#socket.send(request);
    });
  }

  /** Stops reading from the connection, as an agent that hangs does. */
  stall(): void {
    this.#socket.pause();
  }

  recover(): void {
    this.#socket.resume();
  }

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.#socket, "close");
    this.#socket.close();
    await closed;
  }

  #receive(data: Buffer): void {
    if (this.#large && data.length >= this.#large.bytes) {
      const { resolve } = this.#large;
      this.#large = undefined;
      resolve(data);
      return;
    }
    const { id, method, params, result, error } = JSON.parse(data.toString()) as Frame;
    if (method !== undefined) {
      if (id === undefined) this.onNotification(method, params);
      else this.#send({ id, result: {} });
      return;
    }
    if (id === undefined) throw new Error(`Not an answer: ${data.toString()}`);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(`The server answered ${JSON.stringify(error)}`));
  }

  #send(frame: Frame): void {
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", ...frame }));
  }
}

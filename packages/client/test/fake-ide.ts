import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Ide } from "../src/index.js";

export type Json = Record<string, unknown>;

export interface FakeIdeOptions {
  readonly port?: number;
  /** By default the lock file's token is right. */
  readonly token?: string;
  /** How the upgrade is answered; by default `mcp` is selected. */
  readonly selects?: string | false;
  /** Closes with this right after the upgrade. */
  readonly closeCode?: number;
  readonly refuse?: number;
  /** A notification that arrives in one chunk with the answer to initialize. */
  readonly greeting?: string;
  /** What tools answer: the `result`, or nothing for a tool that never answers. */
  readonly tool?: (name: string, args: Json) => unknown;
}

/** An editor's server from somebody else: it says what a test makes it say. */
export class FakeIde implements AsyncDisposable {
  readonly upgrades: IncomingMessage[] = [];
  readonly received: Json[] = [];
  readonly sockets = new Set<WebSocket>();
  readonly #http: Server = createServer();
  readonly #options: FakeIdeOptions;
  readonly #watchers = new Set<() => void>();

  private constructor(options: FakeIdeOptions) {
    this.#options = options;
    const { selects = "mcp", closeCode, refuse } = options;
    const webSockets = new WebSocketServer({ noServer: true, handleProtocols: () => selects });
    this.#http.on("upgrade", (request, stream, head) => {
      this.upgrades.push(request);
      if (refuse) return stream.end(`HTTP/1.1 ${refuse} No\r\nConnection: close\r\n\r\n`);
      webSockets.handleUpgrade(request, stream, head, (socket) => {
        if (closeCode) return socket.close(closeCode, "Unauthorized");
        this.#serve(socket, stream);
      });
    });
  }

  static async start(options: FakeIdeOptions = {}): Promise<FakeIde> {
    const ide = new FakeIde(options);
    ide.#http.listen(options.port ?? 0, "127.0.0.1");
    await once(ide.#http, "listening");
    return ide;
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  get ide(): Ide {
    return {
      port: this.port,
      name: "Fake",
      pid: process.pid,
      folders: ["/p"],
      lockFiles: [],
      announcedAt: 0,
      problems: [],
      token: () => this.#options.token ?? "the-token",
    };
  }

  push(method: string, params?: unknown): void {
    for (const socket of this.sockets)
      socket.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  /** The first message of that method, come already or still to come. */
  heard(method: string): Promise<Json> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.received.find((message) => message.method === method);
        if (!found) return;
        this.#watchers.delete(look);
        resolve(found);
      };
      this.#watchers.add(look);
      look();
    });
  }

  drop(): void {
    for (const socket of this.sockets) socket.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.drop();
    this.#http.close();
    await once(this.#http, "close");
  }

  #serve(socket: WebSocket, stream: Duplex): void {
    this.sockets.add(socket);
    socket.on("close", () => this.sockets.delete(socket));
    socket.on("message", (data) => {
      const message = JSON.parse(data.toString()) as Json;
      this.received.push(message);
      const result = this.#answer(message);
      stream.cork();
      if (message.id !== undefined && result !== undefined)
        socket.send(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
      const { greeting } = this.#options;
      if (greeting && message.method === "initialize")
        socket.send(JSON.stringify({ jsonrpc: "2.0", method: greeting }));
      stream.uncork();
      for (const look of [...this.#watchers]) look();
    });
  }

  #answer({ method, params }: Json): unknown {
    if (method === "initialize")
      return { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "Fake" } };
    if (method !== "tools/call") return {};
    const { name, arguments: args } = params as { name: string; arguments: Json };
    return this.#options.tool?.(name, args);
  }
}

export const texts = (...all: readonly string[]) => ({
  content: all.map((text) => ({ type: "text", text })),
});

export const json = (value: unknown) => texts(JSON.stringify(value));

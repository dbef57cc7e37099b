import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";

export interface RawIdeOptions {
  readonly home: string;
  readonly folder: string;
  readonly name?: string;
  readonly token?: string;
  readonly selects?: string | false;
  /** Refuses everybody with this status. */
  readonly refuse?: number;
  /** Answers requests of agents, so that a client gets through its handshake. */
  readonly answers?: Readonly<Record<string, unknown>>;
}

/** An editor of somebody else's: announced by a lock file, and silent unless a test speaks. */
export class RawIde {
  readonly token: string;
  readonly upgrades: IncomingMessage[] = [];
  readonly #http: Server = createServer();
  readonly #sockets: WebSocket[] = [];
  readonly #options: RawIdeOptions;

  private constructor(options: RawIdeOptions) {
    this.#options = options;
    this.token = options.token ?? randomUUID();
    const { selects = "mcp", refuse } = options;
    const sockets = new WebSocketServer({
      noServer: true,
      autoPong: false,
      handleProtocols: () => selects,
    });
    this.#http.on("upgrade", (request, stream, head) => {
      this.upgrades.push(request);
      if (refuse) return stream.end(`HTTP/1.1 ${refuse} No\r\nConnection: close\r\n\r\n`);
      sockets.handleUpgrade(request, stream, head, (socket) => {
        socket.on("error", () => {});
        if (options.answers) socket.on("message", (data) => this.#answer(socket, String(data)));
        this.#sockets.push(socket);
        this.#http.emit("agent", socket);
      });
    });
  }

  static async start(options: RawIdeOptions): Promise<RawIde> {
    const ide = new RawIde(options);
    ide.#http.listen(0, "127.0.0.1");
    await once(ide.#http, "listening");
    await ide.#announce();
    onTestFinished(() => ide.crash());
    return ide;
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  get lockFile(): string {
    return join(this.#options.home, ".claude", "ide", `${this.port}.lock`);
  }

  /** Who is connected, in the order of their coming. */
  async agent(number = 0): Promise<WebSocket> {
    while (!this.#sockets[number]) await once(this.#http, "agent");
    return this.#sockets[number] as WebSocket;
  }

  /** Tells everybody who is connected. */
  push(method: string, params?: unknown): void {
    for (const socket of this.#sockets)
      socket.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  /** Everything ends without a word; the lock file goes, as after a restart. */
  async crash(): Promise<void> {
    if (!this.#http.listening) return;
    await rm(this.lockFile, { force: true });
    const closed = once(this.#http, "close");
    for (const socket of this.#sockets) socket.terminate();
    this.#http.close();
    await closed;
  }

  #answer(socket: WebSocket, text: string): void {
    const { id, method } = JSON.parse(text);
    const result = this.#options.answers?.[method];
    if (id !== undefined) socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: result ?? {} }));
  }

  async #announce(): Promise<void> {
    const { home, folder, name = "Raw" } = this.#options;
    await mkdir(join(home, ".claude", "ide"), { recursive: true, mode: 0o700 });
    const lock = {
      pid: process.pid,
      workspaceFolders: [folder],
      ideName: name,
      transport: "ws",
      authToken: this.token,
    };
    await writeFile(this.lockFile, JSON.stringify(lock), { mode: 0o600 });
  }
}

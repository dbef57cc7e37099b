import { readFileSync } from "node:fs";
import { WebSocket } from "ws";

/** Where a server is and how it announces itself, be it in this process or in another. */
export interface Announced {
  readonly port: number;
  readonly lockFiles: readonly string[];
}

export type Json = Record<string, unknown>;

/** An agent made of nothing but a WebSocket, so that what is on the wire is seen as it is. */
export class WireAgent implements AsyncDisposable {
  readonly socket: WebSocket;
  readonly received: Json[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #waiting = new Set<() => void>();
  #nextId = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data) => {
      const message = JSON.parse(data.toString()) as Json;
      if (message.method === "ping") this.send({ jsonrpc: "2.0", id: message.id, result: {} });
      else this.received.push(message);
      for (const look of [...this.#waiting]) look();
    });
    this.closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  /** Through the handshake, up to where a server may push. */
  static async connect(server: Announced, name = "test-agent"): Promise<WireAgent> {
    const agent = await WireAgent.open(server);
    await agent.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name, version: "1.0.0" },
    });
    agent.notify("notifications/initialized");
    agent.notify("ide_connected", { pid: process.pid });
    return agent;
  }

  static open(server: Announced): Promise<WireAgent> {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/`, ["mcp"], {
      headers: { "x-claude-code-ide-authorization": tokenOf(server) },
    });
    const agent = new WireAgent(socket);
    return new Promise((resolve, reject) => {
      socket.once("open", () => resolve(agent));
      socket.once("error", reject);
    });
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  notify(method: string, params?: unknown): void {
    this.send({ jsonrpc: "2.0", method, params });
  }

  /** The whole reply, error or result. */
  async request(method: string, params?: unknown, id: unknown = this.#nextId++): Promise<Json> {
    this.send({ jsonrpc: "2.0", id, method, params });
    return this.next((message) => message.id === id && message.method === undefined);
  }

  async call(tool: string, args?: Json): Promise<{ texts: string[]; isError: boolean }> {
    const reply = await this.request("tools/call", { name: tool, arguments: args });
    const result = reply.result as { content: { text: string }[]; isError?: boolean };
    if (!result) throw new Error(JSON.stringify(reply.error));
    return { texts: result.content.map(({ text }) => text), isError: result.isError ?? false };
  }

  /** The one text of a reply that is data. */
  async ask(tool: string, args?: Json): Promise<unknown> {
    const { texts } = await this.call(tool, args);
    return JSON.parse(texts[0] ?? "");
  }

  /** The first message that fits, come already or still to come; each is given out once. */
  next(fits: (message: Json) => boolean): Promise<Json> {
    return new Promise((resolve) => {
      const look = () => {
        const at = this.received.findIndex(fits);
        if (at === -1) return;
        this.#waiting.delete(look);
        resolve(this.received.splice(at, 1)[0] as Json);
      };
      this.#waiting.add(look);
      look();
    });
  }

  notification(method: string): Promise<Json> {
    return this.next((message) => message.method === method).then(
      (message) => message.params as Json,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
    await this.closed;
  }
}

export function tokenOf(server: Announced): string {
  return JSON.parse(readFileSync(server.lockFiles[0] ?? "", "utf8")).authToken;
}

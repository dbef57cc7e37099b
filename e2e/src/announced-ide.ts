import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { within } from "./bounded.js";

export interface Manners {
  /** Where it listens; 127.0.0.1 unless told otherwise. */
  readonly host?: string;
  /** The subprotocol that it chooses; false for none. */
  readonly chooses?: string | false;
  /** What it answers by method, where that is not the usual; null for an error. */
  readonly answers?: Readonly<Record<string, object | null>>;
}

/** An editor of whatever kind, as far as an agent's first words need one. */
export class AnnouncedIde {
  readonly port: number;
  readonly #connected: Promise<void>;
  #taken = false;

  private constructor(server: Server, { chooses = "mcp", answers = {} }: Manners) {
    this.port = (server.address() as AddressInfo).port;
    const sockets = new WebSocketServer({ server, handleProtocols: () => chooses });
    const replies = { ...RESULTS, ...answers };
    this.#connected = new Promise((resolve) => {
      sockets.on("connection", (socket) => {
        let name = "";
        socket.on("message", (data) => {
          const { id, method, params } = JSON.parse(String(data));
          if (method === "initialize") name = params.clientInfo.name;
          if (method === "ide_connected" && name === "claude-code") {
            this.#taken = true;
            resolve();
          }
          const result = replies[method] === undefined ? { content: [] } : replies[method];
          const reply = result ? { result } : { error: { code: -32603, message: "no" } };
          if (id !== undefined) socket.send(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
        });
      });
    });
    onTestFinished(() => {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
    });
  }

  static async start(manners: Manners = {}): Promise<AnnouncedIde> {
    const server = createServer((_, response) => response.writeHead(404).end());
    server.listen(0, manners.host ?? "127.0.0.1");
    await once(server, "listening");
    return new AnnouncedIde(server, manners);
  }

  /** Writes the lock file, in a config folder: this text, or these fields and no others. */
  async announce(configDir: string, lock: object | string): Promise<string> {
    const path = join(configDir, "ide", `${this.port}.lock`);
    await mkdir(join(configDir, "ide"), { recursive: true, mode: 0o700 });
    const text = typeof lock === "string" ? lock : JSON.stringify(lock);
    await writeFile(path, text, { mode: 0o600 });
    return path;
  }

  /** Whether the CLI has said that it is connected. */
  get taken(): boolean {
    return this.#taken;
  }

  async connected(): Promise<void> {
    await within(30_000, this.#connected, () => `the CLI on port ${this.port}`);
  }
}

/** How an editor introduces itself. */
export const INTRODUCTION = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "Some editor", version: "1" },
};

const RESULTS: Readonly<Record<string, object>> = {
  initialize: INTRODUCTION,
  "tools/list": { tools: [] },
};

import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { jsonResult, PROTOCOL_VERSIONS } from "@lockstep/protocol";
import { WebSocket } from "ws";
import { Fault } from "../check.js";
import { Journal } from "../journal.js";
import { isAnswer, isObject, type Json, readMessage } from "../message.js";

const TOOLS = [
  {
    name: "getDiagnostics",
    description: "Get language diagnostics",
    inputSchema: { type: "object", properties: { uri: { type: "string" } } },
  },
];

/** One connection of the agent under test: answers it as an editor would, and asks what a check asks. */
export class AgentLine {
  readonly headers: IncomingHttpHeaders;
  readonly received = new Journal<unknown>();
  readonly #socket: WebSocket;
  #nextId = 1_000;

  constructor(socket: WebSocket, headers: IncomingHttpHeaders) {
    this.#socket = socket;
    this.headers = headers;
    socket.on("error", () => {});
    socket.on("close", () => this.received.end());
    socket.on("message", (data) => {
      const message = readMessage(data.toString());
      if (isObject(message) && "method" in message && "id" in message) this.#answer(message);
      this.received.add(message);
    });
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  notify(method: string): void {
    this.send(JSON.stringify({ jsonrpc: "2.0", method }));
  }

  /** The whole answer, result or error. */
  async request(method: string, ms: number): Promise<Json> {
    const id = this.#nextId++;
    this.send(JSON.stringify({ jsonrpc: "2.0", id, method }));
    const answer = await this.received.next((message) => isAnswer(message, id), ms);
    if (!answer) throw new Fault(`${method} got no answer in ${ms} ms`);
    return answer as Json;
  }

  /** The first message of that method; undefined if none comes. */
  async heard(method: string, ms: number): Promise<Json | undefined> {
    const fits = (message: unknown) => isObject(message) && message.method === method;
    return (await this.received.next(fits, ms)) as Json | undefined;
  }

  /** Whether a WebSocket ping was answered. */
  async ping(ms: number): Promise<boolean> {
    if (this.#socket.readyState !== WebSocket.OPEN) return false;
    const pong = once(this.#socket, "pong", { signal: AbortSignal.timeout(ms) });
    this.#socket.ping();
    return pong.then(
      () => true,
      () => false,
    );
  }

  drop(): void {
    this.#socket.terminate();
  }

  #answer({ id, method, params }: Json): void {
    const result = this.#result(String(method), isObject(params) ? params : {});
    const reply = result ? { result } : { error: { code: -32601, message: "Method not found" } };
    this.send(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
  }

  #result(method: string, { protocolVersion: asked }: Json): unknown {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: PROTOCOL_VERSIONS.find((version) => version === asked) ?? "2025-06-18",
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: "Lockstep verify", version: "1.0.0" },
        };
      case "ping":
        return {};
      case "tools/list":
        return { tools: TOOLS };
      case "tools/call":
        return jsonResult([]);
      default:
        return undefined;
    }
  }
}

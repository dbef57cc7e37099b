import { once } from "node:events";
import { AUTH_HEADER, Notification, SUBPROTOCOL } from "@lockstep/protocol";
import { WebSocket } from "ws";
import { expect, Fault, seen } from "../check.js";
import { Journal } from "../journal.js";
import { isAnswer, isObject, type Json, readMessage } from "../message.js";

export type OnMessage = (direction: "sent" | "received", text: string) => void;

interface Opening {
  readonly port: number;
  readonly token: string;
  readonly patienceMs: number;
  readonly onMessage: OnMessage | undefined;
}

interface Arrival {
  readonly message: unknown;
  /** By the clock of `performance.now()`. */
  readonly at: number;
}

/** What ws says of an editor that selects no subprotocol. */
const NO_SUBPROTOCOL = "Server sent no subprotocol";

/**
 * An agent that hides nothing: it sends what a check wants sent and shows what came back. The
 * client would make good what a check has to see.
 */
export class WireAgent {
  readonly socket: WebSocket;
  readonly #journal = new Journal<Arrival>();
  readonly #patienceMs: number;
  readonly #onMessage: OnMessage | undefined;
  #nextId = 1;

  private constructor(socket: WebSocket, { patienceMs, onMessage }: Opening) {
    this.socket = socket;
    this.#patienceMs = patienceMs;
    this.#onMessage = onMessage;
    socket.on("message", (data) => this.#receive(data.toString()));
    socket.on("close", () => this.#journal.end());
    socket.on("error", () => {});
  }

  /** Offers `mcp`; if the editor does not select it, connects without, so that more can be seen of it. */
  static async open(opening: Opening): Promise<WireAgent> {
    try {
      return await WireAgent.#open(opening, [SUBPROTOCOL]);
    } catch (error) {
      if ((error as Error).message !== NO_SUBPROTOCOL)
        throw new Fault(`cannot connect: ${(error as Error).message}`);
      return WireAgent.#open(opening, []);
    }
  }

  static async #open(opening: Opening, protocols: string[]) {
    const { port, token, patienceMs } = opening;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, protocols, {
      headers: token === "" ? {} : { [AUTH_HEADER]: token },
      handshakeTimeout: patienceMs,
      perMessageDeflate: false,
    });
    const agent = new WireAgent(socket, opening);
    await once(socket, "open");
    return agent;
  }

  get arrivals(): readonly Arrival[] {
    return this.#journal.entries;
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Up to where the editor may push. When it was told so, by the clock of the arrivals. */
  async introduce(): Promise<number> {
    await this.result("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "lockstep-verify", version: "1.0.0" },
    });
    this.notify(Notification.initialized);
    this.notify(Notification.ideConnected, { pid: process.pid });
    return performance.now();
  }

  send(message: unknown): void {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    this.#onMessage?.("sent", text);
    this.socket.send(text);
  }

  notify(method: string, params?: unknown): void {
    this.send({ jsonrpc: "2.0", method, params });
  }

  /** Sends a request and leaves the answer for later. */
  start(method: string, params?: unknown, id: unknown = `verify-${this.#nextId++}`): unknown {
    this.send({ jsonrpc: "2.0", id, method, params });
    return id;
  }

  /** The whole answer, result or error. */
  async answer(id: unknown, what: string, ms = this.#patienceMs): Promise<Json> {
    const found = await this.next((message) => isAnswer(message, id), ms);
    if (found) return found;
    throw new Fault(
      this.isOpen ? `${what} got no answer in ${ms} ms` : `${what} ended the connection`,
    );
  }

  async request(method: string, params?: unknown, id?: unknown): Promise<Json> {
    return this.answer(this.start(method, params, id), method);
  }

  async result(method: string, params?: unknown): Promise<Json> {
    const { result, error } = await this.request(method, params);
    expect(isObject(result), `${method} answered ${seen(error ?? result)}`);
    return result;
  }

  async toolNames(): Promise<readonly string[]> {
    const { tools } = await this.result("tools/list", {});
    expect(Array.isArray(tools), `tools/list has no tools: ${seen(tools)}`);
    return tools.map((tool) => String((tool as Json).name));
  }

  startTool(name: string, args: Json): unknown {
    return this.start("tools/call", { name, arguments: args });
  }

  /** The texts of a tool that is to succeed. */
  async callTool(name: string, args: Json = {}): Promise<readonly string[]> {
    const reply = await this.answer(this.startTool(name, args), name);
    const { texts, failed } = readToolAnswer(reply);
    expect(!failed, `${name} failed: ${seen(texts.length > 0 ? texts : reply.error)}`);
    return texts;
  }

  /** The first message that fits, come already or still to come; undefined if none comes. */
  async next(fits: (message: Json) => boolean, ms = this.#patienceMs): Promise<Json | undefined> {
    const fitting = ({ message }: Arrival) => isObject(message) && fits(message);
    return (await this.#journal.next(fitting, ms))?.message as Json | undefined;
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.socket, "close");
    this.socket.terminate();
    await closed;
  }

  #receive(text: string): void {
    this.#onMessage?.("received", text);
    const message = readMessage(text);
    this.#journal.add({ message, at: performance.now() });
    // Editors drop agents that do not answer this.
    if (isObject(message) && message.method === "ping" && "id" in message)
      this.send({ jsonrpc: "2.0", id: message.id, result: {} });
  }
}

/** Neovim's server fails by a JSON-RPC error where others say `isError`; agents take both. */
export function readToolAnswer({ result, error }: Json): {
  readonly texts: readonly string[];
  readonly failed: boolean;
} {
  if (!isObject(result)) return { texts: [], failed: error !== undefined };
  const content = Array.isArray(result.content) ? result.content : [];
  const texts = content.flatMap((item) =>
    isObject(item) && typeof item.text === "string" ? [item.text] : [],
  );
  return { texts, failed: result.isError === true };
}

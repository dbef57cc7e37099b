import type { Ide } from "@lockstep/client";
import { openLink } from "@lockstep/client/link";
import type { WebSocket } from "ws";
import type { JsonObject } from "../json.js";
import { idKey, tell } from "./message.js";

/** For the upgrade. */
const CONNECT_MS = 10_000;
/** A close that the editor does not answer must not hold us. */
const CLOSE_MS = 1_000;

export type OnMessage = (direction: "sent" | "received", text: string) => void;

type Waiting = (message: JsonObject | undefined) => void;

/** A connection to an editor that says what a recording says, and keeps what it hears. */
export class AgentLine {
  readonly #socket: WebSocket;
  readonly #onMessage: OnMessage;
  /** What has come and was not asked for yet, and who waits for what has not come; by id or method. */
  readonly #kept = new Map<string, JsonObject[]>();
  readonly #waiting = new Map<string, Waiting[]>();
  #open = true;

  private constructor(socket: WebSocket, onMessage: OnMessage) {
    this.#socket = socket;
    this.#onMessage = onMessage;
    socket.on("message", (data) => this.#receive(data.toString()));
    socket.on("close", () => {
      this.#open = false;
      for (const waiting of [...this.#waiting.values()].flat()) waiting(undefined);
    });
    socket.resume();
  }

  static async open(
    ide: Ide,
    protocols: readonly string[],
    onMessage: OnMessage = () => {},
  ): Promise<AgentLine> {
    return new AgentLine(await openLink(ide, { protocols, timeoutMs: CONNECT_MS }), onMessage);
  }

  get isOpen(): boolean {
    return this.#open;
  }

  send(data: string | Buffer): void {
    if (!this.#open) return;
    this.#onMessage("sent", String(data));
    this.#socket.send(data);
  }

  /** Undefined if it does not come in time, or the connection ends. */
  answer(id: unknown, ms: number): Promise<JsonObject | undefined> {
    return this.#next(`answer ${idKey(id)}`, ms);
  }

  /** A request of the editor's. */
  request(method: string, ms: number): Promise<JsonObject | undefined> {
    return this.#next(`request ${method}`, ms);
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    const closed = new Promise((resolve) => this.#socket.once("close", resolve));
    this.#socket.close();
    const impatient = setTimeout(() => this.#socket.terminate(), CLOSE_MS);
    await closed;
    clearTimeout(impatient);
  }

  #receive(text: string): void {
    this.#onMessage("received", text);
    const told = tell(text);
    if (told.kind === "answer") this.#keep(`answer ${idKey(told.id)}`, told.message);
    if (told.kind !== "request") return;
    // Asked at times of the editor's own; it drops agents that do not answer.
    if (told.message.method === "ping")
      this.send(JSON.stringify({ jsonrpc: "2.0", id: told.id, result: {} }));
    else this.#keep(`request ${told.message.method}`, told.message);
  }

  #keep(name: string, message: JsonObject): void {
    const waiting = this.#waiting.get(name)?.shift();
    if (waiting) waiting(message);
    else this.#kept.set(name, [...(this.#kept.get(name) ?? []), message]);
  }

  #next(name: string, ms: number): Promise<JsonObject | undefined> {
    const kept = this.#kept.get(name)?.shift();
    if (kept || !this.#open) return Promise.resolve(kept);
    return new Promise((resolve) => {
      const take: Waiting = (message) => {
        clearTimeout(timer);
        resolve(message);
      };
      const timer = setTimeout(() => {
        const others = this.#waiting.get(name)?.filter((one) => one !== take) ?? [];
        this.#waiting.set(name, others);
        resolve(undefined);
      }, ms);
      this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), take]);
    });
  }
}

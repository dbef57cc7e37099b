import { once } from "node:events";
import { Peer } from "@lockstep/protocol";
import { WebSocket } from "ws";
import type {
  CallInput,
  CallName,
  CallOutput,
  EventName,
  Events,
  Patch,
  State,
  View,
} from "./contract/index.js";
import { Queue } from "./queue.js";

export interface PageClientOptions {
  /** The window's name for itself. */
  readonly name?: string;
  /** Sees every message as it goes over the wire, both ways. */
  readonly onMessage?: (direction: "sent" | "received", text: string) => void;
}

/** A window without a browser: comes through the door as a page does, and keeps a copy of the state. */
export class PageClient {
  readonly #origin: string;
  readonly #cookie: string;
  readonly #socket: WebSocket;
  readonly #peer: Peer;
  readonly #hearing = new Queue();
  readonly #listeners = new Set<(name: string, event: unknown) => void>();
  #state: State | null = null;
  #sequence = 0;
  #view: View = { kind: "nothing" };

  private constructor(
    origin: string,
    cookie: string,
    socket: WebSocket,
    onMessage: PageClientOptions["onMessage"],
  ) {
    this.#origin = origin;
    this.#cookie = cookie;
    this.#socket = socket;
    this.#peer = new Peer({
      send: (text) => {
        onMessage?.("sent", text);
        socket.send(text);
      },
      // One after the other: the body of one may come after the next.
      onNotification: (method, params) => {
        this.#hearing
          .take(() => this.#hear(method, params))
          // Who has missed something would show what is not so.
          .catch(() => this.#socket.terminate());
      },
    });
    socket.on("message", (data) => {
      onMessage?.("received", data.toString());
      this.#peer.receive(data.toString());
    });
    socket.on("close", () => this.#peer.close());
  }

  static async open(launchUrl: string, options: PageClientOptions = {}): Promise<PageClient> {
    const { name = "window", onMessage } = options;
    const { origin } = new URL(launchUrl);
    const answer = await fetch(launchUrl, { redirect: "manual" });
    const [cookie] = (answer.headers.get("set-cookie") ?? "").split(";");
    if (!cookie) throw new Error(`No cookie: ${answer.status}`);
    const headers = { cookie, origin };
    const socket = new WebSocket(`${origin.replace("http", "ws")}/socket`, { headers });
    await once(socket, "open");
    const page = new PageClient(origin, cookie, socket, onMessage);
    // What is heard meanwhile waits: it may be older than the welcome, or newer.
    await page.#hearing.take(() => page.#greet(name));
    return page;
  }

  get state(): State {
    if (!this.#state) throw new Error("No welcome yet");
    return this.#state;
  }

  /** What the workbench told this window to show at first. */
  get view(): View {
    return this.#view;
  }

  async call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
    return (await this.#whole(await this.#peer.request(name, input))) as CallOutput<Name>;
  }

  on<Name extends EventName>(name: Name, listener: (event: Events[Name]) => void): () => void {
    const entry = (heard: string, event: unknown) => {
      if (heard === name) listener(event as Events[Name]);
    };
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  /** As soon as the state is so. */
  until(holds: (state: State) => boolean): Promise<State> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds(this.state)) return;
        this.#listeners.delete(look);
        resolve(this.state);
      };
      this.#listeners.add(look);
      look();
    });
  }

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.#socket, "close");
    this.#socket.close();
    await closed;
  }

  async #greet(name: string): Promise<void> {
    const { state, sequence, view } = await this.call("window.hello", { window: name });
    this.#state = state;
    this.#sequence = sequence;
    this.#view = view;
  }

  async #hear(name: string, params: unknown): Promise<void> {
    const event = await this.#whole(params);
    if (name === "state.patch") this.#patch(event as Patch);
    for (const listener of [...this.#listeners]) listener(name, event);
  }

  #patch(patch: Patch): void {
    if (patch.sequence <= this.#sequence) return;
    if (patch.sequence !== this.#sequence + 1) throw new Error("A patch was missed");
    this.#sequence = patch.sequence;
    this.#state = applied(this.state, patch);
  }

  async #whole(value: unknown): Promise<unknown> {
    if (typeof value !== "object" || value === null || !("$body" in value)) return value;
    const headers = { cookie: this.#cookie };
    return (await fetch(`${this.#origin}/body/${value.$body}`, { headers })).json();
  }
}

function applied(state: State, patch: Patch): State {
  if (patch.kind === "slice") return { ...state, [patch.slice]: patch.value };
  const { [patch.key]: _, ...rest } = state[patch.collection] as Record<string, unknown>;
  const entries = patch.value === null ? rest : { ...rest, [patch.key]: patch.value };
  return { ...state, [patch.collection]: entries };
}

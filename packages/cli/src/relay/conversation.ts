import type { OpenSocket } from "@lockstep/client/link";
import type { PathMap } from "./path-map.js";
import { Translator } from "./translator.js";
import type { WatchedIde } from "./watched-ide.js";

export interface ConversationOptions {
  readonly watched: WatchedIde;
  readonly paths: () => PathMap;
  readonly toAgent: (text: string) => void;
  /** The editor's side of it is over, with why; not called after `end`. */
  readonly onEnd: (why: string) => void;
  /** Told of what is said to the editor and what it says, in the editor's own paths. */
  readonly onMessage: (direction: "sent" | "received", text: string) => void;
}

/** An editor that lets this much pile up has stopped reading. One large message may still exceed it. */
const HARD_CAP = 64 * 1024 * 1024;

/** One agent from elsewhere with the editor here, on a socket of its own. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #translator: Translator;
  readonly #leaving = new AbortController();
  #socket: OpenSocket | null = null;
  /** What the agent has said before the editor was reached. */
  #early: string[] = [];
  #held = false;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#translator = new Translator(options.paths);
    void this.#reach();
  }

  fromAgent(text: string): void {
    if (this.#leaving.signal.aborted) return;
    const passed = this.#translator.fromAgent(text);
    if (passed.to !== "agent") this.#options.onMessage("sent", passed.text);
    if (passed.to === "agent") this.#options.toAgent(passed.text);
    else if (this.#socket) this.#socket.send(passed.text);
    else this.#early.push(passed.text);
    const waiting = this.#socket?.unsent ?? this.#early.reduce((sum, each) => sum + each.length, 0);
    if (waiting > HARD_CAP) this.#fail("The editor does not read");
  }

  /** The wire to the agent is full: what the editor says waits there. */
  hold(held: boolean): void {
    this.#held = held;
    if (held) this.#socket?.pause();
    else this.#socket?.resume();
  }

  /** The agent has left. */
  end(): void {
    this.#leaving.abort(new Error("The agent has left"));
    this.#socket?.close();
  }

  async #reach(): Promise<void> {
    try {
      const socket = await this.#options.watched.dial(this.#leaving.signal);
      if (this.#leaving.signal.aborted) {
        socket.close();
        return;
      }
      this.#socket = socket;
      for (const text of this.#early.splice(0)) socket.send(text);
      socket.listen({
        message: (text) => {
          this.#options.onMessage("received", text);
          this.#options.toAgent(this.#translator.fromEditor(text));
        },
        closed: () => this.#fail("The editor closed the connection"),
      });
      if (this.#held) socket.pause();
    } catch {
      this.#fail("The editor does not answer");
    }
  }

  #fail(why: string): void {
    if (this.#leaving.signal.aborted) return;
    this.end();
    this.#options.onEnd(why);
  }
}

import { randomUUID } from "node:crypto";
import type { Call, Question } from "@lockstep/editor";
import { printable } from "@lockstep/protocol";
import type { Store } from "../state/store.js";

/** An agent that asks more at once is not waiting for a person. */
const MOST_OF_ONE_AGENT = 10;

/** Yes-or-no questions of agents, in front of the person until one is answered or taken back. */
export class Questions {
  readonly #store: Store;
  readonly #answers = new Map<string, (yes: boolean) => void>();
  readonly #pending = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** False as well when nobody waits for the answer any more. */
  async ask({ title, detail }: Question, { agent, signal }: Call): Promise<boolean> {
    const pending = this.#pending.get(agent.id) ?? 0;
    if (signal.aborted || pending >= MOST_OF_ONE_AGENT) return false;
    this.#pending.set(agent.id, pending + 1);
    const id = randomUUID();
    const takeBack = () => this.answer(id, false);
    signal.addEventListener("abort", takeBack);
    try {
      return await new Promise<boolean>((resolve) => {
        this.#answers.set(id, resolve);
        const shown = { agent: printable(agent.name), title: printable(title) };
        const lines = detail.split("\n").map(printable).join("\n");
        this.#store.put("questions", id, { id, ...shown, detail: lines });
      });
    } finally {
      signal.removeEventListener("abort", takeBack);
      const left = (this.#pending.get(agent.id) ?? 1) - 1;
      if (left > 0) this.#pending.set(agent.id, left);
      else this.#pending.delete(agent.id);
    }
  }

  /** A question that is gone, or was answered in another window, stays as it is. */
  answer(id: string, yes: boolean): void {
    const answer = this.#answers.get(id);
    if (!answer) return;
    this.#answers.delete(id);
    this.#store.remove("questions", id);
    answer(yes);
  }
}

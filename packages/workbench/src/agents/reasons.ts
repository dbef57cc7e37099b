import { randomUUID } from "node:crypto";
import type { Agent } from "@lockstep/editor";
import { printable } from "@lockstep/protocol";
import type { Store } from "../state/store.js";

/** An agent that has not taken its question back by then will not. */
const PATIENCE_MS = 5_000;
/** From the agent's word that its diff is closed until its prompt takes text again. */
const REDRAW_MS = 250;

interface Held {
  readonly reason: string;
  /** False if there is no terminal any more. */
  readonly type: () => boolean;
  readonly impatient: NodeJS.Timeout;
}

/**
 * Reasons of rejections on their way to an agent's prompt. While the agent asks in its terminal
 * whether to apply the edit, a typed "1" would be a yes: so a reason waits until that question is gone.
 * One that cannot be typed is shown to the person instead, and never lost.
 */
export class Reasons {
  readonly #store: Store;
  readonly #held = new Map<string, Held>();

  constructor(store: Store) {
    this.#store = store;
  }

  hold(agent: Agent, reason: string, type: () => boolean): void {
    this.giveUp(agent);
    const impatient = setTimeout(() => this.giveUp(agent), PATIENCE_MS).unref();
    this.#held.set(agent.id, { reason, type, impatient });
  }

  /** The agent's question is gone. */
  release(agent: Agent): void {
    const held = this.#take(agent);
    if (!held) return;
    setTimeout(() => {
      if (!held.type()) this.#show(agent, held.reason);
    }, REDRAW_MS).unref();
  }

  giveUp(agent: Agent): void {
    const held = this.#take(agent);
    if (held) this.#show(agent, held.reason);
  }

  #take(agent: Agent): Held | undefined {
    const held = this.#held.get(agent.id);
    clearTimeout(held?.impatient);
    this.#held.delete(agent.id);
    return held;
  }

  #show(agent: Agent, reason: string): void {
    const id = randomUUID();
    const text = `${printable(agent.name)} could not be given your reason. Copy it into its prompt: ${reason}`;
    this.#store.put("notices", id, { id, severity: "warning", text });
  }
}

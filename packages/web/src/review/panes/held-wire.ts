import type { Events, ReviewSnapshot } from "@lockstep/workbench/contract";
import { linkWire, type TextWire } from "../../editor/text-wire.js";
import { on } from "../../replica/link.js";

/**
 * The way to a review's right side. It keeps what the workbench says between the question for the
 * snapshot and the answer, which may be long on its way, and asks for the whole review whenever the
 * text is asked for again.
 */
export class HeldWire implements TextWire {
  readonly #ask: () => Promise<ReviewSnapshot>;
  readonly #renew: (snapshot: ReviewSnapshot) => void;
  #held: Events["text.updates"][] | null = [];
  readonly #stop: () => void;

  constructor(
    name: string,
    ask: () => Promise<ReviewSnapshot>,
    renew: (snapshot: ReviewSnapshot) => void,
  ) {
    this.#ask = ask;
    this.#renew = renew;
    this.#stop = on("text.updates", (event) => {
      if (event.name === name) this.#held?.push(event);
    });
  }

  readonly detach = linkWire.detach;
  readonly push = linkWire.push;
  readonly pull = linkWire.pull;
  readonly onLater = linkWire.onLater;

  async attach(): Promise<ReviewSnapshot["shown"]> {
    const snapshot = await this.#ask();
    this.#renew(snapshot);
    return snapshot.shown;
  }

  onUpdates(listener: (event: Events["text.updates"]) => void): () => void {
    this.#stop();
    const held = this.#held ?? [];
    this.#held = null;
    queueMicrotask(() => held.forEach(listener));
    return linkWire.onUpdates(listener);
  }

  dispose(): void {
    this.#stop();
  }
}

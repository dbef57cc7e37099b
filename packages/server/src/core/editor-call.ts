import type { Agent, Call } from "@lockstep/editor";

/**
 * What an ability is handed besides its input. The signal is made on demand, because most abilities
 * answer at once and never look at it.
 */
export class EditorCall implements Call {
  readonly agent: Agent;
  readonly #outer: () => AbortSignal;
  #controller: AbortController | undefined;
  #ended: unknown;

  constructor(agent: Agent, outer: () => AbortSignal) {
    this.agent = agent;
    this.#outer = outer;
  }

  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    const outer = this.#outer();
    if (this.#ended !== undefined) controller.abort(this.#ended);
    else if (outer.aborted) controller.abort(outer.reason);
    else {
      const onAbort = () => controller.abort(outer.reason);
      outer.addEventListener("abort", onAbort, { once: true, signal: controller.signal });
    }
    return controller.signal;
  }

  /** Nobody waits any more. */
  end(why: Error): void {
    this.#ended = why;
    this.#controller?.abort(why);
  }
}

import type { Window } from "../windows/window.js";
import { Cancelled } from "./asking-errors.js";

/** A server that starts, loads a large project and answers may take this long. */
const LONGEST_MS = 20_000;

/** What windows ask: a new question of a name takes back the one before, which gets `none` then. */
export class Inquiries {
  readonly #open = new WeakMap<Window, Map<string, AbortController>>();

  async ask<Answer>(
    window: Window,
    name: string,
    none: Answer,
    task: (signal: AbortSignal) => Promise<Answer>,
    longestMs = LONGEST_MS,
  ): Promise<Answer> {
    const open = this.#of(window);
    const controller = new AbortController();
    open.get(name)?.abort();
    open.set(name, controller);
    try {
      return await task(AbortSignal.any([controller.signal, AbortSignal.timeout(longestMs)]));
    } catch (problem) {
      if (problem instanceof Cancelled) return none;
      throw problem;
    } finally {
      if (open.get(name) === controller) open.delete(name);
    }
  }

  #of(window: Window): Map<string, AbortController> {
    const known = this.#open.get(window);
    if (known) return known;
    const open = new Map<string, AbortController>();
    this.#open.set(window, open);
    window.onClose(() => {
      for (const controller of open.values()) controller.abort();
    });
    return open;
  }
}

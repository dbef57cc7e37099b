import type { Change } from "./port.js";

/** The listeners of one editor. A listener that throws does not keep the change from the others. */
export class Changes {
  readonly #listeners = new Set<(change: Change) => void>();

  subscribe(listener: (change: Change) => void): Disposable {
    const entry = (change: Change) => listener(change);
    this.#listeners.add(entry);
    return { [Symbol.dispose]: () => void this.#listeners.delete(entry) };
  }

  tell(change: Change): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

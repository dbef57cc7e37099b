import { randomUUID } from "node:crypto";

/** Long enough to be fetched over loopback, short enough not to be forgotten in memory. */
const LIFETIME_MS = 60_000;

/** Long messages on their way between a window and the workbench, each to be taken once. */
export class Bodies {
  readonly #bodies = new Map<string, { readonly text: string; readonly timer: NodeJS.Timeout }>();

  /** Answers the id to take it by. */
  put(text: string): string {
    const id = randomUUID();
    const timer = setTimeout(() => this.#bodies.delete(id), LIFETIME_MS).unref();
    this.#bodies.set(id, { text, timer });
    return id;
  }

  /** Null if it is not there, or was taken. */
  take(id: string): string | null {
    const body = this.#bodies.get(id);
    if (!body) return null;
    clearTimeout(body.timer);
    this.#bodies.delete(id);
    return body.text;
  }
}

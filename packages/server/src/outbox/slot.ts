export interface SlotOptions {
  /** Asks for the state of now and sends it. */
  readonly push: () => Promise<void>;
  /** No two pushes begin closer together than this. */
  readonly intervalMs: number;
  /** Whether the other side takes more just now; {@link Slot.wake} tells when it does again. */
  readonly ready: () => boolean;
}

/**
 * Keeps one piece of state fresh at the other side. The first change goes out at once; while changes
 * go on, the latest state follows at the interval; the last one always arrives, and however many
 * there were, at most one is under way.
 */
export class Slot {
  readonly #options: SlotOptions;
  #stale = false;
  #pushing = false;
  #closed = false;
  #nextAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  /** The state has changed. */
  touch(): void {
    this.#stale = true;
    this.wake();
  }

  /** The other side may be ready again. */
  wake(): void {
    if (!this.#stale || this.#pushing || this.#closed || this.#timer || !this.#options.ready()) {
      return;
    }
    const wait = this.#nextAt - performance.now();
    if (wait > 0) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.wake();
      }, wait);
      return;
    }
    this.#stale = false;
    this.#pushing = true;
    this.#nextAt = performance.now() + this.#options.intervalMs;
    void this.#options.push().finally(() => {
      this.#pushing = false;
      this.wake();
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}

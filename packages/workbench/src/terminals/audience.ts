import type { Window } from "../windows/window.js";

/** Characters on the way to a window from which on the program has to wait for it… */
const FAR_BEHIND = 256 * 1024;
/** …and from which on it goes on. */
const CAUGHT_UP = 64 * 1024;
/** A window that shows nothing for so long is asleep or gone: the others do not wait for it. */
const PATIENCE_MS = 3_000;
/** Characters of one event: far below what the channel would send by HTTP, out of order. */
const PIECE = 32 * 1024;

interface Watcher {
  behind: number;
  timer: NodeJS.Timeout | undefined;
}

export interface AudienceOptions {
  readonly id: string;
  /** Whether the program has to wait, whenever that changes. */
  readonly onPace: (wait: boolean) => void;
}

/**
 * The windows that show a terminal. The slowest sets the pace, so that a flood fills neither memory
 * nor the page; one that stops showing anything is sent no more, and told to attach again.
 */
export class Audience {
  readonly #options: AudienceOptions;
  readonly #watchers = new Map<Window, Watcher>();
  #waiting = false;

  constructor(options: AudienceOptions) {
    this.#options = options;
  }

  add(window: Window): void {
    this.remove(window);
    this.#watchers.set(window, { behind: 0, timer: undefined });
  }

  remove(window: Window): void {
    clearTimeout(this.#watchers.get(window)?.timer);
    this.#watchers.delete(window);
    this.#pace();
  }

  send(text: string): void {
    const { id } = this.#options;
    for (const [window, watcher] of this.#watchers) {
      for (let from = 0; from < text.length; from += PIECE) {
        window.send("terminal.data", { id, data: text.slice(from, from + PIECE) });
      }
      watcher.behind += text.length;
      if (watcher.behind > FAR_BEHIND) this.#expect(window, watcher);
    }
    this.#pace();
  }

  /** The window has shown so many characters more. */
  shown(window: Window, characters: number): void {
    const watcher = this.#watchers.get(window);
    if (!watcher || characters <= 0) return;
    watcher.behind = Math.max(0, watcher.behind - characters);
    clearTimeout(watcher.timer);
    watcher.timer = undefined;
    if (watcher.behind > CAUGHT_UP) this.#expect(window, watcher);
    this.#pace();
  }

  close(): void {
    for (const { timer } of this.#watchers.values()) clearTimeout(timer);
    this.#watchers.clear();
  }

  #expect(window: Window, watcher: Watcher): void {
    watcher.timer ??= setTimeout(() => {
      this.remove(window);
      window.send("terminal.behind", { id: this.#options.id });
    }, PATIENCE_MS).unref();
  }

  #pace(): void {
    const most = Math.max(0, ...[...this.#watchers.values()].map(({ behind }) => behind));
    const wait = most > (this.#waiting ? CAUGHT_UP : FAR_BEHIND);
    if (wait === this.#waiting) return;
    this.#waiting = wait;
    this.#options.onPace(wait);
  }
}

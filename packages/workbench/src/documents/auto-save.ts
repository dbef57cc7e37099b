import type { Uri } from "@lockstep/protocol";

/** A pause in typing after which a document is saved. */
const PAUSE_MS = 1_000;

/** Runs `save` for each document once nobody has typed in it for a while. */
export class AutoSave {
  readonly #timers = new Map<Uri, NodeJS.Timeout>();
  readonly #save: (uri: Uri) => void;

  constructor(save: (uri: Uri) => void) {
    this.#save = save;
  }

  typed(uri: Uri): void {
    const timer = this.#timers.get(uri);
    if (timer) return void timer.refresh();
    const due = () => {
      this.#timers.delete(uri);
      this.#save(uri);
    };
    this.#timers.set(uri, setTimeout(due, PAUSE_MS).unref());
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}

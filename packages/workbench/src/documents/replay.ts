import type { SharedText } from "../texts/shared-text.js";
import type { JournalEntry } from "./journal-record.js";
import { mapEnds } from "./line-ends.js";
import type { Format } from "./text-format.js";

/** Makes the updates of a journal again, so that windows find the versions they know. */
export class Replay {
  #format: Format;
  readonly #shared: SharedText;

  constructor(shared: SharedText, format: Format) {
    this.#shared = shared;
    this.#format = format;
  }

  get format(): Format {
    return this.#format;
  }

  /** False if they do not fit; nothing is changed then. */
  take({ version, updates }: JournalEntry): boolean {
    using _watch = this.#shared.subscribe(({ changes }) => {
      this.#format = { ...this.#format, ends: mapEnds(this.#format.ends, changes) };
    });
    try {
      return this.#shared.receive(this.#shared.epoch, version, updates);
    } catch {
      return false;
    }
  }
}

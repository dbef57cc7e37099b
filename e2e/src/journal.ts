import { within } from "./bounded.js";

/**
 * What happened, in order, with waits on it. A wait looks at what was noted and then at each new
 * entry, so it makes no difference whether the event or the wait comes first.
 */
export class Journal<T> {
  readonly #name: string;
  readonly #print: (entry: T) => string;
  readonly #entries: T[] = [];
  readonly #readers = new Set<() => void>();

  constructor(name: string, print: (entry: T) => string) {
    this.#name = name;
    this.#print = print;
  }

  get entries(): readonly T[] {
    return this.#entries;
  }

  note(entry: T): void {
    this.#entries.push(entry);
    for (const reader of this.#readers) reader();
  }

  /** The first entry that matches. */
  async waitFor(matches: (entry: T) => boolean): Promise<T> {
    let reader = () => {};
    const found = new Promise<T>((resolve) => {
      reader = () => {
        const entry = this.#entries.find(matches);
        if (entry !== undefined) resolve(entry);
      };
    });
    this.#readers.add(reader);
    reader();
    try {
      return await within(30_000, found, () => `a ${this.#name} that fits ${matches}:\n${this}`);
    } finally {
      this.#readers.delete(reader);
    }
  }

  /** One line per entry, none of them endless. */
  toString(): string {
    return this.#entries.map((entry) => `  ${this.#print(entry).slice(-600)}`).join("\n");
  }
}

import type { Collection, Patch, Slice, State, Step } from "../contract/state.js";

type Entry<Name extends Collection> = State[Name][keyof State[Name]];

/** The state that all windows show, and the patches that keep their copies equal to it. */
export class Store {
  #state: State;
  #sequence = 0;
  readonly #listeners = new Set<(patch: Patch) => void>();

  constructor(initial: State) {
    this.#state = initial;
  }

  get state(): State {
    return this.#state;
  }

  /** The number of the last patch. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Replaces a slice. One that is equal to what is there makes no patch. */
  set<Name extends Slice>(slice: Name, value: State[Name]): void {
    if (isEqual(this.#state[slice], value)) return;
    this.#state = { ...this.#state, [slice]: value };
    this.#tell({ kind: "slice", slice, value });
  }

  put<Name extends Collection>(collection: Name, key: string, value: Entry<Name>): void {
    const entries: Readonly<Record<string, unknown>> = this.#state[collection];
    if (Object.hasOwn(entries, key) && isEqual(entries[key], value)) return;
    this.#state = { ...this.#state, [collection]: { ...entries, [key]: value } };
    this.#tell({ kind: "entry", collection, key, value });
  }

  remove(collection: Collection, key: string): void {
    const { [key]: gone, ...rest } = this.#state[collection] as Record<string, unknown>;
    if (gone === undefined) return;
    this.#state = { ...this.#state, [collection]: rest };
    this.#tell({ kind: "entry", collection, key, value: null });
  }

  subscribe(listener: (patch: Patch) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #tell(step: Step): void {
    const patch = { ...step, sequence: ++this.#sequence };
    for (const listener of [...this.#listeners]) listener(patch);
  }
}

/** Values are plain data that travels as JSON, so that is how they are compared. */
function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Something that is done to whole cells, by their keys, so that it can still be done after other edits. */
export type Step =
  | { readonly kind: "insert"; readonly index: number; readonly key: string; readonly raw: string }
  | { readonly kind: "remove"; readonly key: string }
  | { readonly kind: "move"; readonly key: string; readonly to: number }
  /** Its text becomes this. */
  | { readonly kind: "source"; readonly key: string; readonly text: string }
  /** Its JSON becomes this, but for its source. */
  | { readonly kind: "become"; readonly key: string; readonly raw: string };

/** A removed cell may have pictures of megabytes. */
const KEPT = 50;

/** What was done to whole cells, to be taken back and done again. */
export class UndoStack {
  readonly #do: (step: Step) => Step | null;
  #done: (readonly Step[])[] = [];
  #undone: (readonly Step[])[] = [];

  /** `perform` does a step and answers the one that takes it back; null where nothing was to be done. */
  constructor(perform: (step: Step) => Step | null) {
    this.#do = perform;
  }

  /** Does these as one thing. */
  take(steps: readonly Step[]): void {
    const back = this.#perform(steps);
    if (back.length === 0) return;
    this.#done = [...this.#done, back].slice(-KEPT);
    this.#undone = [];
  }

  undo(): boolean {
    return this.#step(this.#done, this.#undone);
  }

  redo(): boolean {
    return this.#step(this.#undone, this.#done);
  }

  /** What has become impossible, because its cells are gone, is passed over. */
  #step(from: (readonly Step[])[], to: (readonly Step[])[]): boolean {
    for (let steps = from.pop(); steps; steps = from.pop()) {
      const back = this.#perform(steps);
      if (back.length === 0) continue;
      to.push(back);
      return true;
    }
    return false;
  }

  /** Answers what takes them back, in the order in which that is to be done. */
  #perform(steps: readonly Step[]): readonly Step[] {
    return steps.flatMap((step) => this.#do(step) ?? []).toReversed();
  }
}

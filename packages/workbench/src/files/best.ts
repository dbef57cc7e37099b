/** The items with the highest scores, in a heap whose root is the worst that is kept. */
export class Best<Item> {
  readonly #most: number;
  readonly #heap: { item: Item; score: number }[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  offer(item: Item, score: number): void {
    const heap = this.#heap;
    if (heap.length < this.#most) {
      heap.push({ item, score });
      this.#up(heap.length - 1);
    } else if (score > (heap[0]?.score ?? Number.NEGATIVE_INFINITY)) {
      heap[0] = { item, score };
      this.#down();
    }
  }

  sorted(): readonly { readonly item: Item; readonly score: number }[] {
    return [...this.#heap].sort((a, b) => b.score - a.score);
  }

  #up(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (this.#score(parent) <= this.#score(at)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #down(): void {
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#heap.length && this.#score(child) < this.#score(least)) least = child;
      }
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #score(at: number): number {
    return this.#heap[at]?.score ?? Number.NEGATIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const { [a]: first, [b]: second } = this.#heap;
    if (!first || !second) return;
    this.#heap[a] = second;
    this.#heap[b] = first;
  }
}

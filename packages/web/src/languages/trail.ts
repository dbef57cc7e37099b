/** So many places are kept. */
const MOST = 100;

/** Where somebody has been, with a way back and forth. */
export class Trail<Stop> {
  readonly #isNear: (a: Stop, b: Stop) => boolean;
  #stops: Stop[] = [];
  #at = -1;

  constructor(isNear: (a: Stop, b: Stop) => boolean) {
    this.#isNear = isNear;
  }

  /** Somebody is here now: near the last place it moves along, elsewhere it is the next one. */
  visit(stop: Stop): void {
    const last = this.#stops[this.#at];
    if (last !== undefined && this.#isNear(last, stop)) this.#stops[this.#at] = stop;
    else this.#add(stop);
  }

  /** The place stays one to come back to, however near the next one is. */
  leave(stop: Stop): void {
    this.visit(stop);
    this.#add(stop);
  }

  canGo(step: 1 | -1): boolean {
    return this.#stops[this.#at + step] !== undefined;
  }

  go(step: 1 | -1): Stop | null {
    const stop = this.#stops[this.#at + step];
    if (stop === undefined) return null;
    this.#at += step;
    return stop;
  }

  #add(stop: Stop): void {
    this.#stops = [...this.#stops.slice(0, this.#at + 1), stop].slice(-MOST);
    this.#at = this.#stops.length - 1;
  }
}

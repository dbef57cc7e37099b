/** Runs one task after the other, in the order they came; one that fails does not stop the next. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  take<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => {});
    return result;
  }

  /** When all that was asked for until now is done. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

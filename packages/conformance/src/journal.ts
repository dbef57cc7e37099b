/** What has happened, in order, and what is waited for. */
export class Journal<Entry> {
  readonly entries: Entry[] = [];
  readonly #looks = new Set<() => void>();
  #ended = false;

  add(entry: Entry): void {
    this.entries.push(entry);
    this.#look();
  }

  /** Nothing will come any more: whoever waits gets nothing. */
  end(): void {
    this.#ended = true;
    this.#look();
  }

  /** The first entry that fits, there already or still to come; undefined if none comes in time. */
  next(fits: (entry: Entry) => boolean, ms: number): Promise<Entry | undefined> {
    return new Promise((resolve) => {
      const finish = (entry: Entry | undefined) => {
        clearTimeout(timer);
        this.#looks.delete(look);
        resolve(entry);
      };
      const look = () => {
        const found = this.entries.find(fits);
        if (found !== undefined || this.#ended) finish(found);
      };
      const timer = setTimeout(() => finish(undefined), ms);
      this.#looks.add(look);
      look();
    });
  }

  #look(): void {
    for (const look of [...this.#looks]) look();
  }
}

/** Windows hear of news a few times a second, however fast they come. */
const INTERVAL_MS = 200;

/** Tells that there is more in an agent's log: at once, then at most once in an interval. */
export class LogNews {
  readonly #tell: (agent: string) => void;
  readonly #pauses = new Map<string, { timer: NodeJS.Timeout; again: boolean }>();

  constructor(tell: (agent: string) => void) {
    this.#tell = tell;
  }

  tell(agent: string): void {
    const pause = this.#pauses.get(agent);
    if (pause) pause.again = true;
    else this.#tellNow(agent);
  }

  forget(agent: string): void {
    clearTimeout(this.#pauses.get(agent)?.timer);
    this.#pauses.delete(agent);
  }

  #tellNow(agent: string): void {
    this.#tell(agent);
    const timer = setTimeout(() => {
      const again = this.#pauses.get(agent)?.again;
      this.#pauses.delete(agent);
      if (again) this.#tellNow(agent);
    }, INTERVAL_MS).unref();
    this.#pauses.set(agent, { timer, again: false });
  }
}

import { setTimeout as delay } from "node:timers/promises";
import { type FindOptions, findIdes, type Ide } from "@lockstep/client";
import { dial, findAgain, type OpenSocket } from "@lockstep/client/link";

/** Lock files are looked at this often. */
const LOOK_MS = 2_000;
/** Looks in a row without it: a restart is over by then, so it is gone. */
const GONE = 3;
/** An agent gives a connection half a minute to come about. */
const PATIENCE_MS = 25_000;
const RETRY_MS = 250;
const ANSWER_MS = 10_000;

/** The editor that is relayed, through its restarts. */
export class WatchedIde implements Disposable {
  ide: Ide;
  readonly #find: FindOptions;
  readonly #listeners = new Set<(there: boolean) => void>();
  readonly #timer: NodeJS.Timeout;
  #missed = 0;

  constructor(ide: Ide, find: FindOptions) {
    this.ide = ide;
    this.#find = find;
    this.#timer = setInterval(() => void this.#look().catch(() => {}), LOOK_MS);
  }

  /** Told when the editor goes, comes back, or announces itself otherwise. */
  watch(listener: (there: boolean) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** A socket of its own for one agent. An editor that restarts is waited for, as long as the agent would. */
  async dial(signal: AbortSignal): Promise<OpenSocket> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await dial(await this.#found(), { timeoutMs: ANSWER_MS, signal });
      } catch (error) {
        if (signal.aborted || performance.now() > end) throw error;
      }
      await delay(RETRY_MS, undefined, { signal });
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #found(): Promise<Ide> {
    return findAgain(this.ide, await findIdes(this.#find));
  }

  async #look(): Promise<void> {
    const found = await this.#found().catch(() => null);
    const gone = this.#missed >= GONE;
    this.#missed = found ? 0 : this.#missed + 1;
    if (!found) {
      if (this.#missed === GONE) this.#tell(false);
      return;
    }
    const changed = gone || announcement(found) !== announcement(this.ide);
    this.ide = found;
    if (changed) this.#tell(true);
  }

  #tell(there: boolean): void {
    for (const listener of [...this.#listeners]) listener(there);
  }
}

const announcement = ({ name, folders }: Ide) => JSON.stringify([name, folders]);

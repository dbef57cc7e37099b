import { digestOf, matches, newSecret } from "./secrets.js";

/** A browser that has not come for this long needs a new launch. */
const IDLE_MS = 7 * 24 * 60 * 60 * 1000;
/** Browsers and profiles of one person; with more, the one that came longest ago goes. */
const MOST = 16;
/** How exactly the last use is kept on disk. */
export const STALE_MS = 60 * 60 * 1000;

/** What is kept of a key. */
export interface KeptKey {
  readonly digest: string;
  /** When it was last used, in milliseconds since 1970. */
  readonly used: number;
}

/**
 * The keys that browsers hold in a cookie. They outlive the process, so that a page whose server was
 * started again goes on; only their digests are kept.
 */
export class Keys {
  readonly #now: () => number;
  readonly #save: (keys: KeptKey[]) => Promise<void>;
  #keys: KeptKey[];
  /** Those of open windows, once for each. */
  readonly #held = new Set<{ readonly key: string }>();

  constructor(
    kept: readonly KeptKey[],
    save: (keys: KeptKey[]) => Promise<void>,
    now: () => number = Date.now,
  ) {
    this.#now = now;
    this.#save = save;
    this.#keys = kept.filter((key) => this.#isFresh(key)).slice(-MOST);
  }

  /** Settled when the key is on disk: a browser never gets one that a crash would forget. */
  async create(): Promise<string> {
    const key = newSecret();
    await this.#put({ digest: digestOf(key), used: this.#now() });
    return key;
  }

  /** Whether the key is good; using it keeps it so. */
  async use(key: string): Promise<boolean> {
    let found: KeptKey | undefined;
    for (const one of this.#keys) if (matches(key, one.digest)) found = one;
    if (!found || !this.#isFresh(found)) return false;
    if (this.#now() - found.used >= STALE_MS) {
      // A full disk makes the key older than it is after a restart, and that is all.
      await this.#put({ ...found, used: this.#now() }).catch(() => {});
    }
    return true;
  }

  /** A window is open with this key, until the answer is called. */
  hold(key: string): () => void {
    const hold = { key };
    this.#held.add(hold);
    return () => this.#held.delete(hold);
  }

  /** An open window uses its key all the time; called now and then, this keeps it good. */
  async renewHeld(): Promise<void> {
    for (const { key } of this.#held) await this.use(key);
  }

  /** The key used last is the last one. */
  #put(key: KeptKey): Promise<void> {
    const others = this.#keys.filter((one) => one.digest !== key.digest && this.#isFresh(one));
    this.#keys = [...others, key].slice(-MOST);
    return this.#save(this.#keys);
  }

  #isFresh({ used }: KeptKey): boolean {
    return this.#now() - used < IDLE_MS;
  }
}

import { digestOf, matches, newSecret } from "./secrets.js";

/** Long enough for a slow browser to start, or for a person to copy the address. */
const LIFETIME_MS = 10 * 60 * 1000;
/** With more, the oldest goes: somebody calls the command in a loop. */
const MOST = 32;

/** Tokens that let a browser in, each once. */
export class Launches {
  readonly #now: () => number;
  /** By the digest of the token; in the order of their making. */
  readonly #expiries = new Map<string, number>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  create(): string {
    const token = newSecret();
    this.#expiries.set(digestOf(token), this.#now() + LIFETIME_MS);
    const [oldest] = this.#expiries.keys();
    if (this.#expiries.size > MOST && oldest !== undefined) this.#expiries.delete(oldest);
    return token;
  }

  /** Whether the token is good. It is not good a second time. */
  use(token: string): boolean {
    let good = false;
    for (const [digest, expiry] of this.#expiries) {
      if (!matches(token, digest)) continue;
      this.#expiries.delete(digest);
      good = this.#now() < expiry;
    }
    return good;
  }
}

import { ConnectionClosed, type RequestOptions, RequestTimedOut } from "@lockstep/protocol";
import { IdeError } from "../errors.js";
import type { EventHub } from "../wire/events.js";
import type { Line, Server } from "../wire/line.js";
import { findAgain } from "./find-again.js";
import { type FindOptions, findIdes } from "./find-ides.js";
import type { Ide } from "./ide.js";

export interface ReconnectOptions {
  /** How long to wait before each attempt; the connection is given up after the last. */
  readonly delaysMs?: Iterable<number>;
  /** Where lock files are read anew before each attempt: the editor may have another port or token. */
  readonly find?: FindOptions;
}

/** At once, then more patiently, for about two minutes in all. */
export const DELAYS_MS: readonly number[] = [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000];

type Dial = (ide: Ide, signal: AbortSignal) => Promise<Line>;

/**
 * One conversation after the other. A request that was under way when one dropped is lost, because
 * nobody knows how far it came; one that is made in between waits for the next.
 */
export class LastingLine implements Line {
  ide: Ide;
  readonly closed: Promise<void>;
  #current: Line;
  /** Settles with the next conversation while there is none. */
  #next: Promise<Line> | undefined;
  readonly #dial: Dial;
  readonly #events: EventHub;
  readonly #options: ReconnectOptions;
  readonly #leaving = new AbortController();
  #end: () => void = () => {};

  constructor(ide: Ide, first: Line, dial: Dial, events: EventHub, options: ReconnectOptions) {
    this.ide = ide;
    this.#current = first;
    this.#dial = dial;
    this.#events = events;
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#watch(first);
  }

  get server(): Server {
    return this.#current.server;
  }

  async request(method: string, params?: unknown, options: RequestOptions = {}): Promise<unknown> {
    const line = this.#next ? await bounded(this.#next, method, options) : this.#current;
    return line.request(method, params, options);
  }

  async close(): Promise<void> {
    this.#leaving.abort(new ConnectionClosed("The connection is closed"));
    await this.#current.close();
    await this.closed;
  }

  #watch(line: Line): void {
    void line.closed.then(() => {
      if (this.#leaving.signal.aborted) return this.#end();
      this.#next = this.#restore();
      // Said here as well as to whoever waits, of whom there may be none.
      this.#next.catch(() => this.#end());
      this.#events.emit("lost", undefined);
    });
  }

  async #restore(): Promise<Line> {
    const { signal } = this.#leaving;
    let why: unknown;
    for (const delay of this.#options.delaysMs ?? DELAYS_MS) {
      await pause(delay, signal);
      let ide: Ide;
      let line: Line;
      try {
        ide = findAgain(this.ide, await findIdes(this.#options.find));
        line = await this.#dial(ide, signal);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        why = error;
        continue;
      }
      // Closed after the handshake was answered and before we got here: nobody else knows this line.
      if (signal.aborted) {
        await line.close();
        throw signal.reason;
      }
      this.ide = ide;
      this.#current = line;
      this.#next = undefined;
      this.#watch(line);
      this.#events.emit("restored", undefined);
      return line;
    }
    this.#leaving.abort(new ConnectionClosed("The connection was given up"));
    throw new IdeError("gave-up", `${this.ide.name} did not come back.`, { cause: why });
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}

/** A request's own limits hold while it waits for a connection, too. */
function bounded(line: Promise<Line>, method: string, options: RequestOptions): Promise<Line> {
  const { signal, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    const late = () => reject(new RequestTimedOut(`${method} got no answer in ${timeoutMs} ms`));
    const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    line.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    });
  });
}

export interface KeepaliveTiming {
  readonly intervalMs: number;
  readonly timeoutMs: number;
}

export interface KeepaliveOptions extends KeepaliveTiming {
  /** A JSON-RPC ping; settles when there is a reply, be it an error. */
  readonly ping: () => Promise<unknown>;
  /** A WebSocket ping, for agents that know no JSON-RPC one; settles at the pong. */
  readonly socketPing: () => Promise<unknown>;
  readonly onDead: () => void;
}

/** A timer this late was not late by load: the machine slept, and so did the agent's answer. */
const SLEPT_MS = 1_000;

/**
 * Notices that an agent is gone although its connection still looks open. One that has never
 * answered a JSON-RPC ping is asked by WebSocket pings instead.
 */
export class Keepalive {
  readonly #options: KeepaliveOptions;
  #timer: NodeJS.Timeout | undefined;
  #mode: "unknown" | "rpc" | "socket" = "unknown";
  #stopped = false;

  constructor(options: KeepaliveOptions) {
    this.#options = options;
    this.#rest();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #rest(): void {
    this.#after(this.#options.intervalMs, (slept) => {
      if (slept) this.#rest();
      else this.#probe();
    });
  }

  #probe(): void {
    const { ping, socketPing, timeoutMs, onDead } = this.#options;
    let answered = false;
    const reply = this.#mode === "socket" ? socketPing() : ping();
    const onReply = () => {
      if (answered || this.#stopped) return;
      answered = true;
      if (this.#mode === "unknown") this.#mode = "rpc";
      this.#rest();
    };
    reply.then(onReply, onReply);
    this.#after(timeoutMs, (slept) => {
      // What has arrived while the timer was due is read first.
      setImmediate(() => {
        if (answered || this.#stopped) return;
        answered = true;
        if (slept) this.#rest();
        else if (this.#mode === "unknown") {
          this.#mode = "socket";
          this.#probe();
        } else onDead();
      });
    });
  }

  #after(ms: number, then: (slept: boolean) => void): void {
    clearTimeout(this.#timer);
    const due = performance.now() + ms;
    this.#timer = setTimeout(() => then(performance.now() - due > SLEPT_MS), ms).unref();
  }
}

import type { Readable, Writable } from "node:stream";
import { encodeFrame, type Frame, FrameReader } from "./frames.js";

/** What each end says first; its number changes with what frames mean. */
const GREETING = Buffer.from("lockstep-relay 1\n");
/** Shells on the way greet people, too: so much is passed over before the other end speaks. */
const MOST_NOISE = 64 * 1024;

const PING: Frame = { kind: "note", channel: 0, body: '{"kind":"ping"}' };
const PING_MS = 5_000;
/** A cut wire says nothing: after this long without a word the other end is gone. */
const SILENCE_MS = 20_000;

export interface LinkOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly onFrame: (frame: Frame) => void;
  /** More goes out than the wire takes: hold the sources up, until it is false again. */
  readonly onBlocked: (blocked: boolean) => void;
}

/** The two ends of a relay, over any pair of streams. */
export class Link {
  /** Resolves when it is over, with why; null where the other end simply ended. */
  readonly ended: Promise<Error | null>;
  readonly #options: LinkOptions;
  readonly #reader = new FrameReader();
  readonly #pulse: NodeJS.Timeout;
  #noise: Buffer | null = Buffer.alloc(0);
  #heardAt = performance.now();
  #beatAt = performance.now();
  #blocked = false;
  #over = false;
  #end: (why: Error | null) => void = () => {};

  constructor(options: LinkOptions) {
    this.#options = options;
    const { input, output, onBlocked } = options;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    input.on("data", (chunk: Buffer) => this.#take(chunk));
    input.once("end", () => this.close());
    input.once("close", () => this.close());
    input.on("error", (error) => this.close(error));
    output.on("error", (error) => this.close(error));
    output.on("drain", () => {
      this.#blocked = false;
      onBlocked(false);
    });
    output.write(GREETING);
    this.#pulse = setInterval(() => this.#beat(), PING_MS);
  }

  /** Whether the other end has spoken at all. */
  get greeted(): boolean {
    return this.#noise === null;
  }

  send(frame: Frame): void {
    if (this.#over || this.#options.output.write(encodeFrame(frame)) || this.#blocked) return;
    this.#blocked = true;
    this.#options.onBlocked(true);
  }

  close(why: Error | null = null): void {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#pulse);
    this.#options.output.end();
    this.#options.input.destroy();
    this.#end(why);
  }

  #take(chunk: Buffer): void {
    if (this.#over) return;
    this.#heardAt = performance.now();
    const bytes = this.#noise ? this.#afterGreeting(chunk) : chunk;
    if (!bytes) return;
    try {
      for (const frame of this.#reader.read(bytes)) this.#options.onFrame(frame);
    } catch (error) {
      this.close(error as Error);
    }
  }

  #afterGreeting(chunk: Buffer): Buffer | null {
    const heard = Buffer.concat([this.#noise ?? Buffer.alloc(0), chunk]);
    const at = heard.indexOf(GREETING);
    if (at >= 0) {
      this.#noise = null;
      return heard.subarray(at + GREETING.length);
    }
    this.#noise = heard;
    if (heard.length > MOST_NOISE) this.close(new Error("There is no relay at the other end."));
    return null;
  }

  #beat(): void {
    const now = performance.now();
    // The machine slept, and so did what the other end had to say.
    if (now - this.#beatAt > 2 * PING_MS) this.#heardAt = now;
    this.#beatAt = now;
    // Until it has spoken, a person may be typing a password on the way there.
    const silent = this.greeted && now - this.#heardAt > SILENCE_MS;
    if (silent) this.close(new Error("The other end has gone silent."));
    else this.send(PING);
  }
}

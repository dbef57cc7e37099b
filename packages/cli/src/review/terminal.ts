import { createInterface, type Interface } from "node:readline";
import { printable } from "@lockstep/protocol";
import { paints } from "../paint.js";

/** Where a person reads and answers, line by line: a terminal, or a pipe. */
export class Terminal implements Disposable {
  readonly paint = paints(process.stdout);
  #lines: Interface | null = null;
  #waiting: ((line: string | null) => void) | null = null;
  readonly #early: string[] = [];
  #ended = false;
  readonly #quiet: boolean;

  constructor({ quiet }: { readonly quiet: boolean }) {
    this.#quiet = quiet;
    process.stdin.once("end", () => {
      this.#ended = true;
      this.#heard(null);
    });
    this.#listen();
  }

  readonly say = (text: string): void => console.log(text);

  /** What a person who wants it quiet can do without. */
  readonly remark = (text: string): void => {
    if (!this.#quiet) this.say(text);
  };

  /** A line of somebody else's text, which must not steer the terminal. Tabs stay. */
  readonly quote = (text: string): string => text.split("\t").map(printable).join("\t");

  /** Null when there is nobody any more. */
  async ask(question: string): Promise<string | null> {
    process.stdout.write(`${question} `);
    const early = this.#early.shift();
    if (early !== undefined) return early.trim();
    if (this.#ended) return null;
    const line = await new Promise<string | null>((resolve) => {
      this.#waiting = resolve;
    });
    return line?.trim() ?? null;
  }

  /** Leaves the keyboard to another program for a while. */
  async lend<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#close();
    try {
      return await work();
    } finally {
      this.#listen();
    }
  }

  [Symbol.dispose](): void {
    this.#close();
  }

  #listen(): void {
    const lines = createInterface({ input: process.stdin });
    lines.on("line", (line) => this.#heard(line));
    this.#lines = lines;
  }

  #close(): void {
    const lines = this.#lines;
    this.#lines = null;
    lines?.close();
  }

  #heard(line: string | null): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) waiting(line);
    else if (line !== null) this.#early.push(line);
  }
}

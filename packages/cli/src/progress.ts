import { printable } from "@lockstep/protocol";

/** What is over by then needs no word. */
const PATIENCE_MS = 500;

/** One line that says what a long command is at; only on a terminal, and never in the result. */
export class Progress implements Disposable {
  readonly #wanted: boolean;
  #text = "";
  #timer: NodeJS.Timeout | undefined;
  #shown = false;

  constructor(quiet: boolean) {
    this.#wanted = !quiet && process.stderr.isTTY === true;
  }

  say(text: string): void {
    if (!this.#wanted) return;
    this.#text = text;
    if (this.#shown) this.#show();
    else this.#timer ??= setTimeout(() => this.#show(), PATIENCE_MS).unref();
  }

  /** Before the result is printed. */
  end(): void {
    clearTimeout(this.#timer);
    if (this.#shown) process.stderr.write("\r\u001b[K");
    this.#shown = false;
  }

  [Symbol.dispose](): void {
    this.end();
  }

  #show(): void {
    this.#shown = true;
    const width = Math.max(0, (process.stderr.columns ?? 80) - 1);
    process.stderr.write(`\r\u001b[K${printable(this.#text).slice(0, width)}`);
  }
}

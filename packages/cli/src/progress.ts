import { printable } from "@lockstep/protocol";

/** One line that says what a long command is at; only on a terminal, and never in the result. */
export class Progress implements Disposable {
  readonly #shown: boolean;

  constructor(quiet: boolean) {
    this.#shown = !quiet && process.stderr.isTTY === true;
  }

  say(text: string): void {
    if (!this.#shown) return;
    const line = printable(text).slice(0, Math.max(0, (process.stderr.columns ?? 80) - 1));
    process.stderr.write(`\r\u001b[K${line}`);
  }

  [Symbol.dispose](): void {
    if (this.#shown) process.stderr.write("\r\u001b[K");
  }
}

/**
 * A text that is printed piece by piece, as a screen shows it: a carriage return goes back to the start
 * of the line, a backspace one back, and what comes next goes over what is there. So a progress bar that
 * is drawn ten thousand times is one line.
 */
export class StreamText {
  /** The lines that have ended. */
  #done = "";
  #line = "";
  /** Where in the line the next character goes. */
  #column = 0;

  get length(): number {
    return this.#done.length + this.#line.length;
  }

  toString(): string {
    return this.#done + this.#line;
  }

  append(chunk: string): void {
    // Most of what is printed goes to the end, many lines at once.
    if (this.#column === this.#line.length && !/[\r\b]/.test(chunk)) {
      const end = chunk.lastIndexOf("\n") + 1;
      if (end > 0) {
        this.#done += this.#line + chunk.slice(0, end);
        this.#line = "";
      }
      this.#line += chunk.slice(end);
      this.#column = this.#line.length;
      return;
    }
    for (const [piece] of chunk.matchAll(/[\r\b\n]|[^\r\b\n]+/g)) {
      if (piece === "\r") this.#column = 0;
      else if (piece === "\b") this.#column = Math.max(0, this.#column - 1);
      else if (piece === "\n") {
        this.#done += `${this.#line}\n`;
        this.#line = "";
        this.#column = 0;
      } else {
        const end = this.#column + piece.length;
        this.#line = this.#line.slice(0, this.#column) + piece + this.#line.slice(end);
        this.#column = end;
      }
    }
  }
}

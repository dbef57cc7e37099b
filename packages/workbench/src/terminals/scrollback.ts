/** About as much as a person scrolls back through; a window gets it all when it attaches. */
const KEPT = 1024 * 1024;
/** Trimming works in strides, so that a flood does not cut the text at every piece. */
const SLACK = 256 * 1024;

/** The last million characters or so that a terminal has printed. */
export class Scrollback {
  #pieces: string[] = [];
  #length = 0;
  #trimmed = false;

  add(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
    if (this.#length > KEPT + SLACK) this.#trim();
  }

  /** Something is missing at the start: what set the terminal's modes there is gone as well. */
  get trimmed(): boolean {
    return this.#trimmed;
  }

  get text(): string {
    const text = this.#pieces.join("");
    this.#pieces = [text];
    return text;
  }

  /** From the start of a line on, so that no escape sequence is cut in two. */
  #trim(): void {
    const text = this.text.slice(-KEPT);
    const line = text.indexOf("\n") + 1;
    // Copied, because a slice of a string would keep all of it in memory.
    const kept = Buffer.from(text.slice(line)).toString();
    this.#pieces = [kept];
    this.#length = kept.length;
    this.#trimmed = true;
  }
}

import type { Writable } from "node:stream";
import type { paints } from "../paint.js";
import type { Described } from "./describe-event.js";

const LABEL_WIDTH = 10;

interface Out extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Lines as they come; on a terminal with what the editor shows now below the last of them. */
export class Screen {
  readonly #out: Out;
  readonly #paint: ReturnType<typeof paints>;
  readonly #name: string;
  readonly #live: boolean;
  #showing = "";

  constructor(out: Out, paint: ReturnType<typeof paints>, name: string, live: boolean) {
    this.#out = out;
    this.#paint = paint;
    this.#name = name;
    this.#live = live;
  }

  add(time: Date, { label, text, showing }: Described): void {
    const { faint, bold } = this.#paint;
    const clock = time.toTimeString().slice(0, 8);
    this.#clear();
    const head = `${faint(clock)}  ${bold(label.padEnd(LABEL_WIDTH))}  `;
    this.#out.write(`${head}${this.#fitted(text, clock.length + LABEL_WIDTH + 4)}\n`);
    if (showing !== undefined) this.#showing = showing;
    this.#draw();
  }

  end(): void {
    this.#clear();
  }

  #clear(): void {
    if (this.#live) this.#out.write("\r\u001b[2K");
  }

  #draw(): void {
    if (!this.#live) return;
    const line = `● ${this.#name}  ${this.#showing || "no file"}`;
    this.#out.write(this.#paint.green(this.#fitted(line, 0)));
  }

  /** One event is one line of a terminal; elsewhere it is whole. */
  #fitted(text: string, before: number): string {
    const letters = [...text];
    const room = (this.#out.columns ?? 80) - 1 - before;
    if (!this.#live || letters.length <= room) return text;
    return `${letters.slice(0, Math.max(0, room - 1)).join("")}…`;
  }
}

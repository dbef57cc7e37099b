import { type Review, shownText } from "@lockstep/review";
import { diffInThread } from "../reviews/diff-thread.js";
import type { Image } from "./image.js";
import { type RawText, rawText } from "./raw-text.js";
import type { Shadow } from "./shadow.js";
import { reviewOf, type TurnFile } from "./turn-file.js";

/** Characters of both sides. Longer texts are compared in a thread of their own. */
const LARGE = 200_000;

const MOST_COMPARED = 3;

/** A changed text: its changes, and how its bytes are made. */
export interface LoadedText {
  readonly review: Review;
  readonly encoding: RawText["encoding"];
  /** The right side, with what is undone left out. */
  readonly text: string;
}

/** Reads the texts of changed files, and finds their changes. */
export class FileTexts {
  readonly #shadow: Pick<Shadow, "read">;
  readonly #signal: AbortSignal;
  #compared: readonly { before: string; after: string; ranges: Int32Array }[] = [];

  constructor(shadow: Pick<Shadow, "read">, signal: AbortSignal) {
    this.#shadow = shadow;
    this.#signal = signal;
  }

  /** "" where there is no file; null where there is one without a text, or none that is known. */
  async textOf(image: Image | null): Promise<RawText | null> {
    if (image === null) return { text: "", encoding: "utf-8" };
    if (image.kind === "link") return null;
    const bytes = await this.#shadow.read(image.content);
    return bytes && rawText(bytes);
  }

  /** Null for what has no text on a side where there is something, or another encoding. */
  async load(file: TurnFile): Promise<LoadedText | null> {
    const before = await this.textOf(file.before);
    if (!before) return null;
    if (file.hunks) {
      const review = reviewOf(file, before.text, "");
      return { review, encoding: before.encoding, text: shownText(review) };
    }
    const after = await this.textOf(file.after);
    const both = file.before !== null && file.after !== null;
    if (!after || (both && before.encoding !== after.encoding)) return null;
    const large = both && before.text.length + after.text.length > LARGE;
    const ranges = large ? await this.#compare(before.text, after.text) : undefined;
    const review = reviewOf(file, before.text, after.text, ranges);
    const { encoding } = file.before === null ? after : before;
    return { review, encoding, text: shownText(review) };
  }

  /** What was compared last is asked for again at once, by each who shows it. */
  async #compare(before: string, after: string): Promise<Int32Array> {
    const known = this.#compared.find((each) => each.before === before && each.after === after);
    if (known) return known.ranges;
    const ranges = await diffInThread(before, after, () => {}, this.#signal);
    this.#compared = [...this.#compared, { before, after, ranges }].slice(-MOST_COMPARED);
    return ranges;
  }
}

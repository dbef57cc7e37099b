import { Text } from "@codemirror/state";
import { isShown, type Review } from "@lockstep/review";
import type { HunkInfo, ReviewSnapshot } from "../contract/reviews.js";
import { diffTexts } from "../documents/text-diff.js";
import { hunkInfos } from "../reviews/hunk-info.js";
import { SharedText } from "../texts/shared-text.js";
import type { SharedTexts } from "../texts/shared-texts.js";
import { isCrLf, withoutCr } from "./raw-text.js";

const READ_ONLY = "This is what has changed in a turn: open the file itself to edit it.";

/** What windows show of a file of a turn. */
interface Shown {
  readonly shared: SharedText;
  base: string;
  hunks: readonly HunkInfo[];
}

/** The files of turns that windows have on screen, each as a shared text that nobody edits there. */
export class ShownFiles {
  readonly #texts: SharedTexts;
  readonly #shown = new Map<string, Shown>();

  constructor(texts: SharedTexts) {
    this.#texts = texts;
  }

  /** Those that are on some screen; the others are let go of. */
  ids(): readonly string[] {
    for (const id of this.#shown.keys()) {
      if (this.#texts.windows(nameOf(id)).length === 0) this.remove(id);
    }
    return [...this.#shown.keys()];
  }

  /** What a window gets that is about to show it. */
  show(
    id: string,
    review: Review,
    text: string,
    stuck: ReadonlyMap<number, string>,
  ): ReviewSnapshot {
    this.update(id, review, text, stuck);
    const { shared, base, hunks } = this.#shown.get(id) ?? this.#add(id, "");
    return { base, moves: 0, shown: shared.snapshot, hunks };
  }

  update(id: string, review: Review, text: string, stuck: ReadonlyMap<number, string>): void {
    const before = review.base.join("\n");
    // Where both sides have it everywhere, it is not what has changed.
    const plain = [before, text].every((side) => side === "" || isCrLf(side));
    const show = plain ? withoutCr : (side: string) => side;
    const shown = this.#shown.get(id) ?? this.#add(id, show(text));
    const next = Text.of(show(text).split("\n"));
    if (!shown.shared.text.eq(next)) shown.shared.edit(diffTexts(shown.shared.text, next), "turn");
    shown.base = show(before);
    shown.hunks = hunkInfos(review).map((info) => {
      const why = stuck.get(info.id);
      const lines =
        info.lines && plain ? info.lines.map((line) => line.replace(/\r$/, "")) : info.lines;
      return { ...info, ...(lines ? { lines } : {}), ...(why === undefined ? {} : { stuck: why }) };
    });
    const { version } = shown.shared;
    for (const window of this.#texts.windows(nameOf(id))) {
      window.send("review.hunks", { id, version, moves: 0, hunks: shown.hunks });
    }
  }

  remove(id: string): void {
    this.#shown.delete(id);
    this.#texts.remove(nameOf(id));
  }

  clear(): void {
    for (const id of [...this.#shown.keys()]) this.remove(id);
  }

  #add(id: string, text: string): Shown {
    const shown: Shown = { shared: new SharedText(text), base: "", hunks: [] };
    this.#shown.set(id, shown);
    this.#texts.add(nameOf(id), shown.shared, () => READ_ONLY);
    return shown;
  }
}

export const nameOf = (id: string): string => `turn:${id}`;

/** Lines that are added and removed, of what is not undone. */
export function lineCounts({ hunks }: Review): {
  readonly added: number;
  readonly removed: number;
} {
  const shown = hunks.filter(isShown);
  return {
    added: shown.reduce((sum, { lines }) => sum + lines.length, 0),
    removed: shown.reduce((sum, { from, to }) => sum + to - from, 0),
  };
}

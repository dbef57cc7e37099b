import { Text } from "@codemirror/state";
import {
  applyChanges,
  decide,
  diffLines,
  editLines,
  linesOf,
  openReview,
  type Review,
  rebase,
  shownText,
} from "@lockstep/review";
import type { HunkInfo } from "@lockstep/workbench/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  endOf,
  isShown,
  isWhitespaceOnly,
  placeHunks,
  startOf,
  stateOf,
  textIn,
} from "./placed-hunks.js";

const texts = fc
  .array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 12 })
  .map((lines) => lines.join("\n"));
/** The person has changed the right side to this text. */
const editShown = (review: Review, text: string): Review =>
  editLines(review, diffLines(linesOf(shownText(review)), linesOf(text)));

const decisions = fc.array(fc.constantFrom("kept" as const, "dropped" as const, null), {
  maxLength: 8,
});

const text = (content: string) => Text.of(content.split("\n"));

/** As the workbench sends them. */
function infosOf({ hunks }: Review): readonly HunkInfo[] {
  return hunks.map(({ id, from, to, decision, lines, conflict }) => ({
    ...{ id, from, to, decision, count: lines.length },
    ...(decision === "dropped" || conflict ? { lines } : {}),
    ...(conflict ? { conflict: conflict.was } : {}),
  }));
}

/** A review in which some hunks are decided, some lines are edited, and the file has moved. */
function reviewed(
  base: string,
  proposed: string,
  how: readonly ("kept" | "dropped" | null)[],
  edited: string | null,
  moved: string | null,
): Review {
  let review = openReview(base, proposed);
  for (const [at, decision] of how.entries()) {
    const hunk = review.hunks[at];
    if (hunk && decision) review = decide(review, hunk.id, decision);
  }
  if (edited !== null) review = editShown(review, edited);
  return moved === null ? review : rebase(review, moved);
}

describe("hunks on screen", () => {
  it("stand where the right side has their lines, and lie where the base has its own", () => {
    const some = fc.option(texts);
    fc.assert(
      fc.property(texts, texts, decisions, some, some, (base, proposed, how, edited, moved) => {
        const review = reviewed(base, proposed, how, edited, moved);
        const shown = text(shownText(review));
        const left = text(review.base.join("\n"));
        for (const [at, hunk] of placeHunks(infosOf(review)).entries()) {
          const source = review.hunks[at];
          const own = isShown(hunk.info)
            ? source?.lines
            : review.base.slice(hunk.base.from, hunk.base.to);
          expect(textIn(shown, hunk.shown)).toBe(own?.join("\n"));
          expect(textIn(left, hunk.base)).toBe(
            review.base.slice(hunk.base.from, hunk.base.to).join("\n"),
          );
          expect(startOf(shown, hunk.shown)).toBeLessThanOrEqual(endOf(shown, hunk.shown));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("keep both sides level: what one side lacks is as much as the other has more", () => {
    fc.assert(
      fc.property(texts, texts, decisions, (base, proposed, how) => {
        const review = reviewed(base, proposed, how, null, null);
        const hunks = placeHunks(infosOf(review));
        const height = (side: "base" | "shown") =>
          linesOf(side === "base" ? base : shownText(review)).length +
          hunks.reduce((sum, hunk) => {
            const own = hunk[side].to - hunk[side].from;
            const other = side === "base" ? hunk.shown : hunk.base;
            return sum + Math.max(0, other.to - other.from - own);
          }, 0);
        expect(height("base")).toBe(height("shown"));
      }),
    );
  });

  it("are in conflict before they are anything else", () => {
    const [hunk] = infosOf(rebase(openReview("a\nb\nc", "a\nB\nc"), "a\nx\nc"));
    expect(hunk && stateOf(hunk)).toBe("conflict");
    expect(hunk && isShown(hunk)).toBe(false);
  });

  it("at the very end of a text begin and end there", () => {
    const review = openReview("a\nb", "a");
    const [hunk] = placeHunks(infosOf(review));
    expect(hunk && startOf(text("a"), hunk.shown)).toBe(1);
    expect(applyChanges(review.base, review.hunks)).toEqual(["a"]);
  });
});

describe("hunks in whitespace only", () => {
  const isSame = (base: string, shown: string) => {
    const [hunk] = placeHunks(infosOf(openReview(base, shown)));
    return hunk && isWhitespaceOnly(hunk, text(base), text(shown));
  };

  it("differ in blanks, tabs and empty lines", () => {
    expect(isSame("a\n  b\nc", "a\n\tb\nc")).toBe(true);
    expect(isSame("a\nb", "a\n\n\nb")).toBe(true);
    expect(isSame("a\nb\nc", "a\nb c\nd")).toBe(false);
  });
});

import { clusters } from "./clusters.js";
import { diffLines, linesOf, sameLines } from "./line-diff.js";
import { type Hunk, isShown, type Review, shownText, step } from "./review.js";

/** A hunk with the place that its lines have on the right side. */
interface Placed {
  readonly hunk: Hunk;
  readonly from: number;
  readonly to: number;
}

/**
 * The person has changed the right side to this text. Hunks that the change touches become one
 * edited hunk with it; a change elsewhere is a hunk of its own; all others stay as they are.
 */
export function editShown(review: Review, text: string): Review {
  const before = linesOf(shownText(review));
  const after = linesOf(text);
  const placed = place(review.hunks.filter(isShown));
  let { nextId } = review;
  let grown = 0;
  const shown: Hunk[] = [];
  for (const { from, to, as, bs } of clusters(placed, diffLines(before, after))) {
    const start = from + grown;
    for (const change of bs) grown += change.lines.length - (change.to - change.from);
    const [first] = as;
    if (bs.length === 0) {
      if (first) shown.push(first.hunk);
      continue;
    }
    const range = { from: inBase(from, placed, "start"), to: inBase(to, placed, "end") };
    const lines = after.slice(start, to + grown);
    // Typed back to what was there: no hunk at all.
    if (sameLines(lines, review.base.slice(range.from, range.to))) continue;
    shown.push({ ...range, lines, id: first?.hunk.id ?? nextId++, decision: "edited" });
  }
  const edited = shown.filter((hunk) => !review.hunks.includes(hunk));
  // What was dropped or in conflict there is settled by the person's own words.
  const hidden = review.hunks.filter(
    (hunk) => !isShown(hunk) && !edited.some(({ from, to }) => from <= hunk.to && hunk.from <= to),
  );
  const hunks = [...shown, ...hidden].sort((a, b) => a.from - b.from || a.to - b.to);
  return step(review, hunks, nextId);
}

function place(hunks: readonly Hunk[]): readonly Placed[] {
  let shift = 0;
  return hunks.map((hunk) => {
    const from = hunk.from + shift;
    shift += hunk.lines.length - (hunk.to - hunk.from);
    return { hunk, from, to: from + hunk.lines.length };
  });
}

/** The line of the base that a line of the right side stands at; a hunk's edge is the hunk's edge. */
function inBase(line: number, placed: readonly Placed[], edge: "start" | "end"): number {
  let shift = 0;
  for (const { hunk, from, to } of placed) {
    if (line < from || (edge === "start" && line === from)) break;
    if (line <= to) return hunk.to;
    shift = hunk.to - to;
  }
  return line + shift;
}

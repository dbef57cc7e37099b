import { clusters } from "./clusters.js";
import {
  applyChanges,
  type Change,
  diffLines,
  type Lines,
  linesOf,
  sameLines,
} from "./line-diff.js";
import { type Hunk, isShown, type Review } from "./review.js";

/**
 * The document has changed under the proposal. Hunks elsewhere move along; one that the change has
 * made already is gone; one that it meets is in conflict, and nothing is guessed. The steps that can
 * be undone move along too, but the document's own change is not among them.
 */
export function rebase(review: Review, document: string): Review {
  const base = linesOf(document);
  const changes = diffLines(review.base, base);
  if (changes.length === 0) return review;
  const move = (hunks: readonly Hunk[]) => moved(hunks, review.base, base, changes);
  const { past, future } = review;
  return {
    ...review,
    base,
    hunks: move(review.hunks),
    past: past.map(move),
    future: future.map(move),
  };
}

function moved(
  hunks: readonly Hunk[],
  before: Lines,
  after: Lines,
  changes: readonly Change[],
): readonly Hunk[] {
  let shift = 0;
  const result: Hunk[] = [];
  for (const { from, to, as, bs } of clusters(hunks, changes)) {
    const start = from + shift;
    for (const change of bs) shift += change.lines.length - (change.to - change.from);
    const end = to + shift;
    if (bs.length === 0) {
      for (const hunk of as) result.push(shifted(hunk, shift));
      continue;
    }
    const met = meeting(as, before.slice(from, to), from, after.slice(start, end));
    if (met) result.push({ ...met, from: start, to: end });
  }
  return result;
}

function shifted(hunk: Hunk, shift: number): Hunk {
  return shift === 0 ? hunk : { ...hunk, from: hunk.from + shift, to: hunk.to + shift };
}

/** What becomes of hunks where the document has changed too; null if nothing is left to decide. */
function meeting(
  hunks: readonly Hunk[],
  was: Lines,
  from: number,
  is: Lines,
): Omit<Hunk, "from" | "to"> | null {
  // A dropped hunk wanted what the person did not; a conflict that meets another is still one.
  const wanted = hunks.filter((hunk) => isShown(hunk) || hunk.conflict);
  const [first] = wanted;
  if (!first) return null;
  const own = wanted.map((hunk) => ({ ...hunk, from: hunk.from - from, to: hunk.to - from }));
  const lines = applyChanges(was, own);
  if (sameLines(lines, is)) return null;
  return { id: first.id, lines, decision: "pending", conflict: { was } };
}

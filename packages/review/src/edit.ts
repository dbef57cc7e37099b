import { type Cluster, clusters } from "./clusters.js";
import { applyChanges, type Change, sameLines } from "./line-diff.js";
import { type Hunk, isShown, type Review, step } from "./review.js";

/** A hunk with the place that its lines have on the right side. */
export interface Placed {
  readonly hunk: Hunk;
  readonly from: number;
  readonly to: number;
}

/**
 * The person has changed these lines of the right side, in order and with a line between any two.
 * Hunks that a change touches become one edited hunk with it; a change elsewhere is a hunk of its own;
 * all others stay as they are. It takes as long as there are hunks, however long the text is.
 */
export function editLines(review: Review, changes: readonly Change[]): Review {
  const placed = placeShown(review);
  let { nextId } = review;
  // How much further a line of the base is than its line on the right side.
  let shift = 0;
  const shown: Hunk[] = [];
  const edited: Hunk[] = [];
  for (const cluster of clusters(placed, changes)) {
    const from = cluster.from + shift;
    for (const { hunk } of cluster.as) shift += hunk.to - hunk.from - hunk.lines.length;
    const to = cluster.to + shift;
    const [first] = cluster.as;
    if (cluster.bs.length === 0) {
      if (first) shown.push(first.hunk);
      continue;
    }
    const lines = linesAfter(review, cluster, from, to);
    const own = { from, to, lines, id: first?.hunk.id ?? nextId++, decision: "edited" } as const;
    edited.push(own);
    // Typed back to what was there: no hunk at all.
    if (!sameLines(lines, review.base.slice(from, to))) shown.push(own);
  }
  // What was dropped or in conflict there is settled by the person's own words.
  const hidden = review.hunks.filter((hunk) => !isShown(hunk));
  const untouched = clusters(hidden, edited).flatMap(({ as, bs }) => (bs.length === 0 ? as : []));
  const hunks = [...shown, ...untouched].sort((a, b) => a.from - b.from || a.to - b.to);
  return step(review, hunks, nextId);
}

/** The hunks that the right side shows, each with its lines there. */
export function placeShown({ hunks }: Review): readonly Placed[] {
  let shift = 0;
  return hunks.filter(isShown).map((hunk) => {
    const from = hunk.from + shift;
    shift += hunk.lines.length - (hunk.to - hunk.from);
    return { hunk, from, to: from + hunk.lines.length };
  });
}

/**
 * The changes that lead from one right side to another of the same base, in lines of the first: what
 * a view has to do after a decision or an undo.
 */
export function shownChanges(before: Review, after: Review): readonly Change[] {
  const changes: Change[] = [];
  let shift = 0;
  const found = clusters(before.hunks.filter(isShown), after.hunks.filter(isShown));
  for (const { from, to, as, bs } of found) {
    const start = from + shift;
    for (const hunk of as) shift += hunk.lines.length - (hunk.to - hunk.from);
    if (as.length === bs.length && as.every(({ lines }, at) => lines === bs[at]?.lines)) continue;
    const lines = within(before.base.slice(from, to), from, bs);
    changes.push({ from: start, to: to + shift, lines });
  }
  return changes;
}

/** What stands on the right side after the changes, where the cluster is. */
function linesAfter(
  { base }: Review,
  { from: shownFrom, as, bs }: Cluster<Placed, Change>,
  from: number,
  to: number,
) {
  const hunks = as.map(({ hunk }) => hunk);
  return within(within(base.slice(from, to), from, hunks), shownFrom, bs);
}

function within(lines: readonly string[], start: number, changes: readonly Change[]) {
  const own = changes.map(({ from, to, lines: its }) => ({
    from: from - start,
    to: to - start,
    lines: its,
  }));
  return applyChanges(lines, own);
}

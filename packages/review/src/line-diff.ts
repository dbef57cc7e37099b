import { diffRanges } from "./diff-ranges.js";

/** Lines without their ends; joining them by LF gives the text back, its last line end too. */
export type Lines = readonly string[];

export const linesOf = (text: string): Lines => text.split("\n");
export const textOf = (lines: Lines): string => lines.join("\n");

/** The lines from `from` to before `to` become `lines`. Both may be equal: then lines are put in. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly lines: Lines;
}

/** The least changes that make `after` of `before`, in order, with unchanged lines between any two. */
export function diffLines(before: Lines, after: Lines): readonly Change[] {
  return changesOf(diffRanges(before, after), after);
}

/** What {@link diffRanges} found, with the lines themselves. */
export function changesOf(ranges: Int32Array, after: Lines): readonly Change[] {
  const changes: Change[] = [];
  for (let at = 0; at < ranges.length; at += 4) {
    const [from = 0, to = 0, start = 0, end = 0] = ranges.subarray(at, at + 4);
    changes.push({ from, to, lines: after.slice(start, end) });
  }
  return changes;
}

/** Applies changes that are in order and do not overlap. */
export function applyChanges(before: Lines, changes: readonly Change[]): Lines {
  const parts: Lines[] = [];
  let at = 0;
  for (const { from, to, lines } of changes) {
    parts.push(before.slice(at, from), lines);
    at = to;
  }
  return [...parts, before.slice(at)].flat();
}

export function sameLines(a: Lines, b: Lines): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

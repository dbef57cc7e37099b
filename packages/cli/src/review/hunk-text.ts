import type { HunkInfo } from "@lockstep/workbench/contract";

/** Unchanged lines around a hunk. */
const CONTEXT = 3;

/** A hunk as a person reads it. */
export interface HunkText {
  /** Of the base and of the right side, counted from 1. */
  readonly at: { readonly base: number; readonly shown: number };
  readonly before: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly after: readonly string[];
}

/** Whether the right side has the hunk's lines; otherwise it has the base's. */
const isShown = ({ lines }: HunkInfo): boolean => lines === undefined;

/** The hunk's first line on the right side, counted from 0. */
export function shownLine(hunks: readonly HunkInfo[], hunk: HunkInfo): number {
  let line = hunk.from;
  for (const earlier of hunks) {
    if (earlier.id === hunk.id) break;
    if (isShown(earlier)) line += earlier.count - (earlier.to - earlier.from);
  }
  return line;
}

export function hunkText(
  hunk: HunkInfo,
  hunks: readonly HunkInfo[],
  base: readonly string[],
  shown: readonly string[],
): HunkText {
  const line = shownLine(hunks, hunk);
  // Behind the last line's end is no line.
  const end = base.at(-1) === "" ? base.length - 1 : base.length;
  return {
    at: { base: hunk.from + 1, shown: line + 1 },
    before: base.slice(Math.max(0, hunk.from - CONTEXT), hunk.from),
    removed: base.slice(hunk.from, hunk.to),
    added: hunk.lines ?? shown.slice(line, line + hunk.count),
    after: base.slice(hunk.to, Math.min(hunk.to + CONTEXT, end)),
  };
}

import { type Hunk, isShown, type Review } from "@lockstep/review";
import type { HunkInfo, Tally } from "../contract/reviews.js";

/** A review's hunks as windows get them. */
export function hunkInfos({ hunks }: Review): readonly HunkInfo[] {
  return hunks.map((hunk) => {
    const { id, from, to, decision, lines, conflict } = hunk;
    return {
      id,
      from,
      to,
      decision,
      count: lines.length,
      ...(isShown(hunk) ? {} : { lines }),
      ...(conflict ? { conflict: conflict.was } : {}),
    };
  });
}

/** Of a new file nothing is removed, although its empty base has a line to the engine. */
export function tallyOf({ hunks }: Review, newFile: boolean): Tally {
  const tally = { pending: 0, kept: 0, dropped: 0, edited: 0, conflicts: 0, added: 0, removed: 0 };
  for (const hunk of hunks) {
    if (hunk.conflict) tally.conflicts++;
    else tally[hunk.decision]++;
    if (hunk.decision === "dropped") continue;
    tally.added += hunk.lines.length;
    tally.removed += newFile ? 0 : hunk.to - hunk.from;
  }
  return tally;
}

export const isDecided = ({ decision }: Hunk): boolean => decision !== "pending";

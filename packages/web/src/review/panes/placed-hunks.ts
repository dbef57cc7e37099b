import type { Text } from "@codemirror/state";
import type { HunkInfo } from "@lockstep/workbench/contract";

/** Lines from `from` to before `to`, counted from 0. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** A hunk with its lines on both sides. Where the right side does not show it, the base's lines stand there. */
export interface PlacedHunk {
  readonly info: HunkInfo;
  /** 1 for the first of all. */
  readonly number: number;
  readonly base: LineRange;
  readonly shown: LineRange;
}

export type HunkState = HunkInfo["decision"] | "conflict";

export const stateOf = ({ decision, conflict }: HunkInfo): HunkState =>
  conflict ? "conflict" : decision;

export const isShown = (info: HunkInfo): boolean =>
  info.decision !== "dropped" && info.conflict === undefined;

/** Where hunks, whose places are counted in the base, stand on the right side. */
export function placeHunks(hunks: readonly HunkInfo[]): readonly PlacedHunk[] {
  let shift = 0;
  return hunks.map((info, index) => {
    const { from, to, count } = info;
    const height = isShown(info) ? count : to - from;
    const start = from + shift;
    shift += height - (to - from);
    return {
      info,
      number: index + 1,
      base: { from, to },
      shown: { from: start, to: start + height },
    };
  });
}

/** Where the lines begin in the text: at the end of the text for lines past the last. */
export function startOf(text: Text, { from }: LineRange): number {
  return from < text.lines ? text.line(from + 1).from : text.length;
}

/** Where the last of the lines ends, without its line end. No lines end where they begin. */
export function endOf(text: Text, { from, to }: LineRange): number {
  if (to <= from) return startOf(text, { from, to });
  return text.line(Math.min(to, text.lines)).to;
}

/** The text of the lines, joined by LF. */
export function textIn(text: Text, range: LineRange): string {
  return range.to > range.from ? text.sliceString(startOf(text, range), endOf(text, range)) : "";
}

/** Both sides are the same but for blanks, tabs and empty lines. */
export function isWhitespaceOnly(hunk: PlacedHunk, base: Text, shown: Text): boolean {
  if (!isShown(hunk.info)) return false;
  return bare(textIn(base, hunk.base)) === bare(textIn(shown, hunk.shown));
}

const bare = (text: string): string => text.replace(/\s+/g, "");

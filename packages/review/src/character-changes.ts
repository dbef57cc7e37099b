import type { Change, Lines } from "./line-diff.js";

/** The characters from `from` to before `to` become `insert`. Counted in UTF-16 units, lines ended by LF. */
export interface CharacterChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/**
 * Changes of lines as changes of characters, in the same order, each cut down to the characters that
 * differ: whatever stands in the rest (a cursor, a fold, an edit on its way) stays where it is.
 */
export function characterChanges(
  before: Lines,
  changes: readonly Change[],
): readonly CharacterChange[] {
  let line = 0;
  let offset = 0;
  const startOf = (wanted: number) => {
    for (; line < wanted; line++) offset += (before[line] ?? "").length + 1;
    return offset;
  };
  return changes.map(({ from, to, lines }) => {
    const start = startOf(from);
    startOf(to);
    const old = before.slice(from, to);
    if (to < before.length) return narrowed(start, ended(old), ended(lines));
    if (from === 0) return narrowed(0, old.join("\n"), lines.join("\n"));
    // The last line has no line end after it: the one before it comes and goes with it.
    return narrowed(start - 1, begun(old), begun(lines));
  });
}

const ended = (lines: Lines): string => lines.map((line) => `${line}\n`).join("");
const begun = (lines: Lines): string => lines.map((line) => `\n${line}`).join("");

/** Without what both begin and end with; never between the halves of a surrogate pair. */
function narrowed(from: number, old: string, now: string): CharacterChange {
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old.charCodeAt(head) === now.charCodeAt(head)) head++;
  if (head > 0 && isHigh(old.charCodeAt(head - 1))) head--;
  let tail = 0;
  while (
    tail < most - head &&
    old.charCodeAt(old.length - 1 - tail) === now.charCodeAt(now.length - 1 - tail)
  ) {
    tail++;
  }
  if (tail > 0 && isLow(old.charCodeAt(old.length - tail))) tail--;
  return {
    from: from + head,
    to: from + old.length - tail,
    insert: now.slice(head, now.length - tail),
  };
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

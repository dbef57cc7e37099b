import { ChangeSet, type ChangeSpec, type Text } from "@codemirror/state";
import { diffLines } from "@lockstep/review";

/** Lines that differ, on both sides together. Above it the differing part is replaced as a whole. */
const MOST_LINES = 40_000;

/**
 * Changes that make `after` of `before` and touch little else, so that selections, folds and edits
 * that wait to be sent stay where they belong. Compared by lines, then cut down within each change.
 */
export function textDifference(before: Text, after: Text): ChangeSet {
  if (before.eq(after)) return ChangeSet.empty(before.length);
  const old = before.toJSON();
  const now = after.toJSON();
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const oldPart = old.slice(start, old.length - end);
  const nowPart = now.slice(start, now.length - end);
  const changes =
    oldPart.length + nowPart.length > MOST_LINES
      ? [{ from: 0, to: oldPart.length, lines: nowPart }]
      : diffLines(oldPart, nowPart);
  const specs = changes.map(({ from, to, lines }) =>
    trimmed(before, { from: from + start, to: to + start, lines }),
  );
  return ChangeSet.of(specs, before.length);
}

/** A change of whole lines as one of characters. */
function trimmed(
  before: Text,
  { from, to, lines }: { from: number; to: number; lines: readonly string[] },
): ChangeSpec {
  const startOf = (index: number) => before.line(index + 1).from;
  if (to < before.lines) {
    return narrowed(before, startOf(from), startOf(to), lines.map((line) => `${line}\n`).join(""));
  }
  // The last line has no line end after it: the one before it belongs to the change.
  if (from === 0) return narrowed(before, 0, before.length, lines.join("\n"));
  const begin = before.line(from).to;
  return narrowed(before, begin, before.length, lines.map((line) => `\n${line}`).join(""));
}

/** Without the characters that both sides begin and end with; never between the halves of a pair. */
function narrowed(before: Text, from: number, to: number, text: string): ChangeSpec {
  const old = before.sliceString(from, to);
  const most = Math.min(old.length, text.length);
  let start = 0;
  while (start < most && old[start] === text[start]) start++;
  if (start > 0 && isHigh(old.charCodeAt(start - 1))) start--;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
  if (end > 0 && isLow(old.charCodeAt(old.length - end))) end--;
  return { from: from + start, to: to - end, insert: text.slice(start, text.length - end) };
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

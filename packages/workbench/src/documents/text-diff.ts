import type { ChangeSpec, Text } from "@codemirror/state";
import { diffLines } from "@lockstep/review";

/** Lines on one side. Beyond it a change is one replacement: looking closer would take too long. */
const MOST_LINES = 2_000;

/**
 * A small edit that makes `after` of `before`, so that cursors and marks in what did not change stay
 * where they are.
 */
export function diffTexts(before: Text, after: Text): ChangeSpec {
  const { start, oldEnd, newEnd } = changedLines(before, after);
  if (start > oldEnd && start > newEnd) return [];
  const old = linesBetween(before, start, oldEnd);
  const now = linesBetween(after, start, newEnd);
  const few = old.length <= MOST_LINES && now.length <= MOST_LINES;
  const changes = few ? diffLines(old, now) : [{ from: 0, to: old.length, lines: now }];
  return changes.map(({ from, to, lines }) =>
    lineChange(before, start + from, start + to, lines.join("\n"), lines.length === 0),
  );
}

/** The numbers, from 1, of the first and last lines that differ; an end before the start is none. */
function changedLines(before: Text, after: Text) {
  const most = Math.min(before.lines, after.lines);
  let start = 1;
  const [left, right] = [before.iterLines(), after.iterLines()];
  while (start <= most && left.next().value === right.next().value) start++;
  let [oldEnd, newEnd] = [before.lines, after.lines];
  while (oldEnd >= start && newEnd >= start) {
    if (before.line(oldEnd).text !== after.line(newEnd).text) break;
    oldEnd--;
    newEnd--;
  }
  return { start, oldEnd, newEnd };
}

function linesBetween(text: Text, first: number, last: number): string[] {
  return last < first ? [] : [...text.iterLines(first, last + 1)];
}

/** Lines `first` to before `end` become `insert`, with the LF that comes or goes. */
function lineChange(text: Text, first: number, end: number, insert: string, none: boolean) {
  if (first < end && !none) {
    return trimmed(text, text.line(first).from, text.line(end - 1).to, insert);
  }
  const atEnd = end > text.lines;
  if (none) {
    const to = text.line(end - 1).to;
    if (!atEnd) return { from: text.line(first).from, to: to + 1 };
    return { from: text.line(first).from - 1, to };
  }
  if (atEnd) return { from: text.length, insert: `\n${insert}` };
  return { from: text.line(first).from, insert: `${insert}\n` };
}

/** Without the characters at either end that stay. */
function trimmed(text: Text, from: number, to: number, insert: string) {
  const old = text.sliceString(from, to);
  const most = Math.min(old.length, insert.length);
  let head = 0;
  while (head < most && old.charCodeAt(head) === insert.charCodeAt(head)) head++;
  let tail = 0;
  while (
    tail < most - head &&
    old.charCodeAt(old.length - 1 - tail) === insert.charCodeAt(insert.length - 1 - tail)
  ) {
    tail++;
  }
  return { from: from + head, to: to - tail, insert: insert.slice(head, insert.length - tail) };
}

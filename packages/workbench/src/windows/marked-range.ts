import type { Text } from "@codemirror/state";
import type { Position, Range } from "@lockstep/editor";
import type { Marked } from "./windows.js";

/** A selection in a text that may have changed since: what is past its end means that end. */
export function rangeIn(
  text: Text,
  { anchor, head }: Marked,
): {
  readonly range: Range;
  readonly from: number;
  readonly to: number;
  readonly reversed: boolean;
} {
  const [a, h] = [offsetIn(text, anchor), offsetIn(text, head)];
  const [from, to] = [Math.min(a, h), Math.max(a, h)];
  const range = { start: positionIn(text, from), end: positionIn(text, to) };
  return { range, from, to, reversed: h < a };
}

function offsetIn(text: Text, { line, character }: Position): number {
  if (line >= text.lines) return text.length;
  const { from, to } = text.line(line + 1);
  return Math.min(from + character, to);
}

function positionIn(text: Text, offset: number): Position {
  const { number, from } = text.lineAt(offset);
  return { line: number - 1, character: offset - from };
}

import type { Text } from "@codemirror/state";
import type { Place } from "../replica/view.js";

/** Where a line and column are; those beyond the text are at its end. */
export function offsetOf(text: Text, { line, character }: Place): number {
  if (line >= text.lines) return text.length;
  const { from, length } = text.line(line + 1);
  return from + Math.min(length, character);
}

export function placeOf(text: Text, offset: number): Place {
  const { number, from } = text.lineAt(offset);
  return { line: number - 1, character: offset - from };
}

export const rangeOf = (text: Text, from: number, to: number) => ({
  start: placeOf(text, from),
  end: placeOf(text, to),
});

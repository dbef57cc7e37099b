import type { Position, Range } from "./port.js";

/** The port's texts end their lines with LF; files and agents may use CRLF or CR. */
export function toLf(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** A final LF begins one more, empty line, as in every editor. */
export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: countLines(before) - 1, character: offset - lineStart };
}

/** A position past the end of its line or of the text means that end. */
export function offsetAt(text: string, position: Position): number {
  let start = 0;
  for (let line = 0; line < position.line; line++) {
    const next = text.indexOf("\n", start);
    if (next === -1) return text.length;
    start = next + 1;
  }
  const end = text.indexOf("\n", start);
  return Math.min(start + position.character, end === -1 ? text.length : end);
}

export function textIn(text: string, range: Range): string {
  return text.slice(offsetAt(text, range.start), offsetAt(text, range.end));
}

export function isEmptyRange({ start, end }: Range): boolean {
  return start.line === end.line && start.character === end.character;
}

export const START: Range = {
  start: { line: 0, character: 0 },
  end: { line: 0, character: 0 },
};

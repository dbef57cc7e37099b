import { between, type JsonStyle, lineAt } from "./json-style.js";

/** A change of a text: what stands from `from` to `to` becomes `insert`. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** A string literal in a cell's source, quotes included, and what it means. */
interface Piece {
  readonly from: number;
  readonly to: number;
  /** Where its text starts in the source. */
  readonly start: number;
  readonly text: string;
}

/** Where lines of a source stand, if it is a list: items of a cell's field. */
const SOURCE_DEPTH = 4;

/**
 * The JSON of a cell's source after edits of its text, given in ascending order. A list of lines stays
 * one, a string stays a string, and every character that was not edited keeps its spelling.
 */
export function editedSource(raw: string, edits: readonly Edit[], style: JsonStyle): string {
  return edits.toReversed().reduce((now, edit) => editOnce(now, edit, style), raw);
}

/** The text that the JSON of a source means. Undefined where it is not a source. */
export function sourceText(raw: string): string | undefined {
  const value: unknown = JSON.parse(raw);
  if (typeof value === "string") return value;
  const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
  return isList ? value.join("") : undefined;
}

/** The lines of a text, each with its end, as Jupyter writes them. */
export const linesOf = (text: string): string[] => (text === "" ? [] : text.split(/(?<=\n)/));

/** The least change that makes `after` of `before`; null if they are equal. */
export function leastEdit(before: string, after: string): Edit | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  const isSame = () =>
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end);
  while (end < most - start && isSame()) end++;
  return {
    from: start,
    to: before.length - end,
    insert: after.slice(start, after.length - end),
  };
}

function editOnce(raw: string, edit: Edit, style: JsonStyle): string {
  const pieces = piecesIn(raw);
  if (raw.startsWith('"')) {
    const [piece] = pieces;
    return piece
      ? splice(raw, place(raw, piece, edit.from), place(raw, piece, edit.to), edit.insert)
      : raw;
  }
  if (pieces.length > 0) return editList(raw, pieces, edit);
  const lines = linesOf(edit.insert).map((line) => JSON.stringify(line));
  if (lines.length === 0) return raw;
  const lead = lineAt(style, SOURCE_DEPTH);
  const tail = lineAt(style, SOURCE_DEPTH - 1);
  return `[${lead}${lines.join(between(style, SOURCE_DEPTH))}${tail}]`;
}

const splice = (raw: string, from: number, to: number, insert: string): string =>
  raw.slice(0, from) + escaped(insert) + raw.slice(to);

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The pieces that the edit touches are made anew, split after each line end; the others stay. */
function editList(raw: string, pieces: readonly Piece[], { from, to, insert }: Edit): string {
  const first = pieceAt(pieces, from);
  const last = pieceAt(pieces, to);
  const [a, b] = [pieces[first], pieces[last]];
  if (!a || !b) return raw;
  const fragments = [
    { raw: raw.slice(a.from + 1, place(raw, a, from)), ended: a.text[from - a.start - 1] === "\n" },
    ...linesOf(insert).map((line) => ({ raw: escaped(line), ended: line.endsWith("\n") })),
    { raw: raw.slice(place(raw, b, to), b.to - 1), ended: false },
  ];
  const made: string[] = [];
  let open = false;
  for (const fragment of fragments) {
    if (fragment.raw === "") continue;
    if (open) made.push((made.pop() ?? "") + fragment.raw);
    else made.push(fragment.raw);
    open = !fragment.ended;
  }
  const literals = made.map((piece) => `"${piece}"`).join(gapIn(raw, pieces));
  if (made.length > 0) return raw.slice(0, a.from) + literals + raw.slice(b.to);
  const [before, after] = [pieces[first - 1], pieces[last + 1]];
  if (after) return raw.slice(0, a.from) + raw.slice(after.from);
  return before ? raw.slice(0, before.to) + raw.slice(b.to) : "[]";
}

/** The piece that has the character at this place; the last one for the end of the text. */
function pieceAt(pieces: readonly Piece[], at: number): number {
  const found = pieces.findIndex(({ start, text }) => at >= start && at < start + text.length);
  return found < 0 ? pieces.length - 1 : found;
}

/** What stands between two pieces. */
function gapIn(raw: string, [first, second]: readonly Piece[]): string {
  if (!first) return ", ";
  if (second) return raw.slice(first.to, second.from);
  const lead = raw.slice(1, first.from);
  return lead.includes("\n") ? `,${lead}` : ", ";
}

/** Where the character at this place of the source stands in the JSON. */
function place(raw: string, { from, start }: Piece, at: number): number {
  let position = from + 1;
  for (let left = at - start; left > 0; left--) {
    const isEscape = raw[position] === "\\";
    position += isEscape ? (raw[position + 1] === "u" ? 6 : 2) : 1;
  }
  return position;
}

function piecesIn(raw: string): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (const { 0: literal, index } of raw.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"/gs)) {
    const text = JSON.parse(literal) as string;
    pieces.push({ from: index, to: index + literal.length, start, text });
    start += text.length;
  }
  return pieces;
}

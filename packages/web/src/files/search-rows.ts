import type { Uri } from "@lockstep/protocol";
import type { SearchFile, SearchLine } from "@lockstep/workbench/contract";
import { shownText } from "../design/shown-text.js";
import { type FileHead, fileHead } from "./file-head.js";

export interface FoundLine {
  readonly kind: "line";
  readonly file: SearchFile;
  readonly line: SearchLine;
}
export type SearchRow = FileHead<SearchFile> | FoundLine;

export const matchesIn = ({ lines }: SearchFile): number =>
  lines.reduce((count, { matches }) => count + matches.length, 0);

export function searchRows(
  files: readonly SearchFile[],
  closed: ReadonlySet<Uri>,
): readonly SearchRow[] {
  return files.flatMap((file): SearchRow[] => {
    const head = fileHead(file, matchesIn(file), closed);
    const lines = head.open ? file.lines : [];
    return [head, ...lines.map((line): SearchRow => ({ kind: "line", file, line }))];
  });
}

/** A piece of a line; the leading blanks are left out, and the match is kept in sight. */
export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** About so many characters before the first match; the row is narrow. */
const LEAD = 12;
/** So few are not left out: a sign that something is missing takes room, too. */
const SPARED = 4;

export function piecesOf({ text: raw, matches }: SearchLine): readonly Piece[] {
  const text = shownText(raw);
  const [first] = matches;
  const blank = text.length - text.trimStart().length;
  const start = Math.min(blank, first?.from ?? blank);
  const cut = first ? leadFrom(text, start, first.from) : start;
  const pieces: Piece[] = [];
  if (cut > start) pieces.push({ text: "…", isMatch: false });
  let at = cut;
  for (const { from, to } of matches) {
    if (from > at) pieces.push({ text: text.slice(at, from), isMatch: false });
    pieces.push({ text: text.slice(Math.max(at, from), to), isMatch: true });
    at = Math.max(at, to);
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMatch: false });
  return pieces.filter((piece) => piece.text !== "");
}

/** Where the text before a match begins to be shown: at a word, if one begins there. */
function leadFrom(text: string, start: number, match: number): number {
  const cut = match - LEAD;
  if (cut - start <= SPARED) return start;
  const before = cut - 1;
  const word = text.slice(before, match).search(/(?<=\s)\S/);
  return word > 0 ? before + word : cut;
}

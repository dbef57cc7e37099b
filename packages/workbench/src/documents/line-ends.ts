import {
  type ChangeDesc,
  MapMode,
  RangeSet,
  RangeSetBuilder,
  RangeValue,
  type Text,
} from "@codemirror/state";

export type LineEnd = "lf" | "crlf" | "cr";

const CHARACTERS: Readonly<Record<LineEnd, string>> = { lf: "\n", crlf: "\r\n", cr: "\r" };

/** Stands just before a line end that is not the usual one. It goes when that line end is deleted. */
class Odd extends RangeValue {
  override startSide = 1;
  override endSide = 1;
  override mapMode = MapMode.TrackAfter;

  constructor(readonly end: LineEnd) {
    super();
  }

  override eq(other: RangeValue): boolean {
    return other instanceof Odd && other.end === this.end;
  }
}

const ODD: Readonly<Record<LineEnd, Odd>> = {
  lf: new Odd("lf"),
  crlf: new Odd("crlf"),
  cr: new Odd("cr"),
};

/**
 * How the lines of a file end, while its text in memory has LF only: the usual end, which new lines
 * get too, and a record of the lines that end otherwise, by the position of their LF.
 */
export interface LineEnds {
  readonly usual: LineEnd;
  readonly odd: RangeSet<Odd>;
}

export const uniform = (usual: LineEnd): LineEnds => ({ usual, odd: RangeSet.empty });

/** The lines without their ends, and what those were. */
export function splitLines(text: string): { lines: string[]; ends: LineEnds } {
  if (!text.includes("\r")) return { lines: text.split("\n"), ends: uniform("lf") };
  const lines: string[] = [];
  const found: LineEnd[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 10 && code !== 13) continue;
    const end = code === 10 ? "lf" : text.charCodeAt(at + 1) === 10 ? "crlf" : "cr";
    lines.push(text.slice(start, at));
    found.push(end);
    if (end === "crlf") at++;
    start = at + 1;
  }
  lines.push(text.slice(start));
  return { lines, ends: recordOf(lines, found) };
}

function recordOf(lines: readonly string[], found: readonly LineEnd[]): LineEnds {
  const count = { lf: 0, crlf: 0, cr: 0 };
  for (const end of found) count[end]++;
  const usual = (["lf", "crlf", "cr"] as const).reduce((a, b) => (count[b] > count[a] ? b : a));
  const odd = new RangeSetBuilder<Odd>();
  let position = 0;
  found.forEach((end, index) => {
    position += lines[index]?.length ?? 0;
    if (end !== usual) odd.add(position, position, ODD[end]);
    position++;
  });
  return { usual, odd: odd.finish() };
}

/** The text with the line ends that it has in its file. */
export function joinLines(text: Text, { usual, odd }: LineEnds): string {
  const parts: string[] = [];
  let at = 0;
  for (const cursor = odd.iter(); cursor.value; cursor.next()) {
    parts.push(text.sliceString(at, cursor.from, CHARACTERS[usual]), CHARACTERS[cursor.value.end]);
    at = cursor.from + 1;
  }
  parts.push(text.sliceString(at, text.length, CHARACTERS[usual]));
  return parts.join("");
}

/** The record after an edit: untouched lines keep their ends, new ones have the usual. */
export function mapEnds(ends: LineEnds, changes: ChangeDesc): LineEnds {
  return ends.odd.size === 0 ? ends : { usual: ends.usual, odd: ends.odd.map(changes) };
}

export const kindOfEnds = ({ usual, odd }: LineEnds): LineEnd | "mixed" =>
  odd.size > 0 ? "mixed" : usual;

/** As it is kept in the journal: the usual end, then the others by position. */
export type EndsRecord = readonly [usual: LineEnd, ...odd: (readonly [number, LineEnd])[]];

export function writeEnds({ usual, odd }: LineEnds): EndsRecord {
  const others: (readonly [number, LineEnd])[] = [];
  for (const cursor = odd.iter(); cursor.value; cursor.next()) {
    others.push([cursor.from, cursor.value.end]);
  }
  return [usual, ...others];
}

/** Null if it is not a record of this text: out of order, or where no line ends. */
export function readEnds([usual, ...others]: EndsRecord, text: Text): LineEnds | null {
  const odd = new RangeSetBuilder<Odd>();
  let least = 0;
  for (const [position, end] of others) {
    if (position < least || position >= text.length) return null;
    if (text.lineAt(position).to !== position) return null;
    odd.add(position, position, ODD[end]);
    least = position + 1;
  }
  return { usual, odd: odd.finish() };
}

export function sameEnds(a: LineEnds, b: LineEnds): boolean {
  if (a === b) return true;
  if (a.usual !== b.usual || a.odd.size !== b.odd.size) return false;
  const [left, right] = [a.odd.iter(), b.odd.iter()];
  for (; left.value && right.value; left.next(), right.next()) {
    if (left.from !== right.from || left.value.end !== right.value.end) return false;
  }
  return true;
}

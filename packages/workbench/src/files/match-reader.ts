import type { SearchLine } from "../contract/files.js";

/** One place that ripgrep found, as bytes from the start of the text. */
export interface Match {
  readonly from: number;
  readonly to: number;
  /** What a `--replace` makes of it. */
  readonly replacement: string | null;
}

export interface FileMatches {
  /** As ripgrep names it: relative to where it runs. */
  readonly path: string;
  readonly lines: readonly SearchLine[];
  readonly matches: readonly Match[];
}

type Data = { readonly text: string } | { readonly bytes: string };
interface MatchMessage {
  readonly lines: Data;
  readonly line_number: number;
  readonly absolute_offset: number;
  readonly submatches: readonly {
    readonly start: number;
    readonly end: number;
    readonly replacement?: Data;
  }[];
}

/** Characters of a line that are shown; a longer one is shown in parts around its matches. */
const LONGEST_LINE = 400;
const BEFORE_MATCH = 60;

/** Understands what `rg --json` writes, file by file. Binary files are left out. */
export class MatchReader {
  readonly #onFile: (file: FileMatches) => void;
  readonly #most: number;
  #rest: Buffer[] = [];
  #lines: SearchLine[] = [];
  #matches: Match[] = [];
  #path: string | null = null;
  #count = 0;

  /** After `most` matches it wants no more. */
  constructor(most: number, onFile: (file: FileMatches) => void) {
    this.#most = most;
    this.#onFile = onFile;
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= this.#most;
  }

  /** False when there is enough. */
  push(chunk: Buffer): boolean {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#rest.push(chunk.subarray(from, end));
      this.#message(Buffer.concat(this.#rest).toString());
      this.#rest = [];
      from = end + 1;
      if (this.isFull) {
        this.#end();
        return false;
      }
    }
    if (from < chunk.length) this.#rest.push(chunk.subarray(from));
    return true;
  }

  #message(json: string): void {
    const { type, data } = JSON.parse(json) as { type: string; data: unknown };
    if (type === "begin") {
      const { path } = data as { path: Data };
      // A name that is not Unicode cannot be opened here.
      this.#path = "text" in path ? path.text : null;
    } else if (type === "match") this.#match(data as MatchMessage);
    else if (type === "end") {
      const { binary_offset: binary } = data as { binary_offset: number | null };
      if (binary === null) this.#end();
      else this.#drop();
    }
  }

  #match(message: MatchMessage): void {
    const { submatches, absolute_offset: offset, line_number: line } = message;
    const wanted = submatches.slice(0, this.#most - this.#count);
    this.#count += wanted.length;
    const bytes = bytesOf(message.lines);
    this.#lines.push(...shownLines(bytes, line - 1, wanted));
    for (const { start, end, replacement } of wanted) {
      const made = replacement ? bytesOf(replacement).toString() : null;
      this.#matches.push({ from: offset + start, to: offset + end, replacement: made });
    }
  }

  #end(): void {
    const path = this.#path;
    if (path !== null && this.#matches.length > 0) {
      this.#onFile({ path, lines: this.#lines, matches: this.#matches });
    } else this.#count -= this.#matches.length;
    this.#lines = [];
    this.#matches = [];
  }

  #drop(): void {
    this.#path = null;
    this.#end();
  }
}

const bytesOf = (data: Data): Buffer =>
  "text" in data ? Buffer.from(data.text) : Buffer.from(data.bytes, "base64");

/** The matches by line, with columns in UTF-16. One over several lines shows in its first. */
function shownLines(
  bytes: Buffer,
  firstLine: number,
  places: readonly { readonly start: number; readonly end: number }[],
): SearchLine[] {
  const shown: SearchLine[] = [];
  let line = firstLine;
  let from = 0;
  let next = 0;
  while (next < places.length) {
    const newline = bytes.indexOf(10, from);
    const end = newline < 0 ? bytes.length : newline;
    const matches: { from: number; to: number }[] = [];
    const text = bytes.subarray(from, end).toString().replace(/\r$/, "");
    const isPlain = text.length === end - from || text.length === end - from - 1;
    const column = (at: number) =>
      isPlain && isAscii(text) ? at - from : bytes.subarray(from, at).toString().length;
    for (let place = places[next]; place; place = places[++next]) {
      if (place.start > end || (place.start === end && newline >= 0 && place.end > end)) break;
      const to = Math.min(column(Math.min(place.end, end)), text.length);
      matches.push({ from: Math.min(column(place.start), to), to });
    }
    if (matches.length > 0) shown.push(...inParts(line, text, matches));
    if (newline < 0) break;
    from = newline + 1;
    line++;
  }
  return shown;
}

const isAscii = (text: string) => Buffer.byteLength(text) === text.length;

function inParts(
  line: number,
  text: string,
  matches: readonly { readonly from: number; readonly to: number }[],
): SearchLine[] {
  if (text.length <= LONGEST_LINE) return [{ line, text, matches }];
  const parts: SearchLine[] = [];
  let rest = matches;
  for (let [first] = rest; first; [first] = rest) {
    const offset = wholeCharacter(text, Math.max(0, first.from - BEFORE_MATCH));
    const end = wholeCharacter(text, Math.min(text.length, offset + LONGEST_LINE));
    const here = rest.filter(({ from }) => from < end);
    parts.push({
      line,
      text: text.slice(offset, end),
      offset,
      matches: here.map(({ from, to }) => ({
        from: from - offset,
        to: Math.min(to, end) - offset,
      })),
    });
    rest = rest.slice(Math.max(1, here.length));
  }
  return parts;
}

/** Not between the two halves of a character. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at;
}

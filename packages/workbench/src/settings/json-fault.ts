/** Where a text stops being JSON, and why, in words for the person who wrote it. */
export interface JsonFault {
  /** 1-based. */
  readonly line: number;
  readonly what: string;
}

/** Nobody nests settings this deep. */
const DEEPEST = 64;
/** All characters from the space on, but for the quote and the backslash. */
const STRING = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

/**
 * The first place where `text` is not JSON; null if it is. The engine's own message has no line, and
 * calls a comment an unexpected token.
 */
export function jsonFault(text: string): JsonFault | null {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) return false;
    at += found[0].length;
    return true;
  };
  const peek = (): string => {
    skip(SPACE);
    return text[at] ?? "";
  };
  const take = (mark: string): boolean => {
    if (peek() !== mark) return false;
    at++;
    return true;
  };
  const list = (close: string, item: () => string | null): string | null => {
    at++;
    if (take(close)) return null;
    for (;;) {
      const fault = item();
      if (fault) return fault;
      if (take(close)) return null;
      if (!take(",")) return expected(`"," or "${close}"`);
      if (peek() === close) return "a comma must not stand before the end";
    }
  };
  const expected = (what: string): string => {
    const next = peek();
    if (next === "/" || next === "#") return "comments are not allowed in JSON; take them out";
    if (next === "") return `the text ends where ${what} should stand`;
    if (next === "'") return "texts must stand in double quotes";
    return `${what} should stand here`;
  };
  const value = (depth: number): string | null => {
    if (depth > DEEPEST) return "this is nested too deep";
    const next = peek();
    if (next === "{") return list("}", () => entry(depth));
    if (next === "[") return list("]", () => value(depth + 1));
    if (next === '"') return skip(STRING) ? null : "this text does not end, or has a wrong escape";
    return skip(SCALAR) ? null : expected("a value");
  };
  const entry = (depth: number): string | null => {
    if (peek() !== '"') return expected("a name in double quotes");
    if (!skip(STRING)) return "this name does not end, or has a wrong escape";
    return take(":") ? value(depth + 1) : expected('":"');
  };
  const what = value(0) ?? (peek() === "" ? null : expected("the end of the text"));
  return what === null ? null : { line: lineAt(text, at), what };
}

/** The line of each entry of an object at the top, 1-based. `text` must be JSON. */
export function entryLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth === 1 && token.endsWith(":"))
      lines.set(JSON.parse(token.slice(0, token.lastIndexOf('"') + 1)), lineAt(text, index));
  }
  return lines;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

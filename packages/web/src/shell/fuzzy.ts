/** How well a query matches, and where. */
export interface Match {
  readonly score: number;
  /** Indexes into the text. */
  readonly matched: readonly number[];
}

/**
 * The letters of `query` in their order somewhere in `text`; null if they are not there. Starts of
 * words and runs of letters count more, so "gl" finds "Go to Line" before "Toggle".
 */
export function fuzzyMatch(query: string, text: string): Match | null {
  const letters = query.toLowerCase().replaceAll(" ", "");
  const lower = text.toLowerCase();
  if (letters === "") return { score: 0, matched: [] };
  const whole = lower.indexOf(query.toLowerCase().trim());
  if (whole >= 0) {
    const matched = Array.from({ length: query.trim().length }, (_, index) => whole + index);
    const score = isWordStart(text, whole) ? 1_000 - whole : matched.length * 6;
    return { score, matched };
  }
  return walk(letters, text, lower, true) ?? walk(letters, text, lower, false);
}

/** From left to right; with `eager` each letter prefers the start of a word. */
function walk(letters: string, text: string, lower: string, eager: boolean): Match | null {
  const matched: number[] = [];
  let score = 0;
  let from = 0;
  for (const letter of letters) {
    const next = lower.indexOf(letter, from);
    if (next < 0) return null;
    const start = eager && next !== from ? wordStart(letter, text, lower, next) : next;
    const at = start < 0 ? next : start;
    const run = matched.at(-1) === at - 1;
    score += (isWordStart(text, at) ? 12 : 0) + (run ? 8 : 0) - Math.min(at - from, 6);
    matched.push(at);
    from = at + 1;
  }
  return { score, matched };
}

function wordStart(letter: string, text: string, lower: string, from: number): number {
  for (let at = from; at >= 0; at = lower.indexOf(letter, at + 1))
    if (isWordStart(text, at)) return at;
  return -1;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? "");
}

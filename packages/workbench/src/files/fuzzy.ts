import { Best } from "./best.js";

/** Ranks paths by how well they answer a query that is typed in haste. */

export interface Candidate {
  readonly path: string;
  readonly lower: string;
  /** Where the file's own name begins. */
  readonly base: number;
  /** One bit for each letter or digit that is in it. */
  readonly mask: number;
}

export interface Ranked {
  readonly candidate: Candidate;
  readonly score: number;
  readonly matched: readonly number[];
}

/** Those that look best at first are looked at closely, to this number times the limit. */
const CLOSER_LOOK = 4;

export function candidate(path: string): Candidate {
  const lower = path.toLowerCase();
  // Some letters grow when they become lower case; then indexes would not fit the path.
  const fitting = lower.length === path.length ? lower : path;
  return { path, lower: fitting, base: path.lastIndexOf("/") + 1, mask: maskOf(fitting) };
}

/** The best first. Words of the query are matched each for itself, and all have to match. */
export function rank(
  candidates: Iterable<Candidate>,
  query: string,
  limit: number,
): readonly Ranked[] {
  const words = query.toLowerCase().replaceAll("\\", "/").split(/\s+/).filter(Boolean);
  if (words.length === 0 || limit < 1) return [];
  const mask = maskOf(words.join(""));
  const rough = new Best<Candidate>(limit * CLOSER_LOOK);
  for (const candidate of candidates) {
    if ((candidate.mask & mask) !== mask) continue;
    let score = 0;
    for (const word of words) {
      const part = roughScore(candidate, word);
      if (part === NONE) {
        score = NONE;
        break;
      }
      score += part;
    }
    if (score !== NONE) rough.offer(candidate, score);
  }
  return rough
    .sorted()
    .map(({ item }) => closely(item, words))
    .sort(order)
    .slice(0, limit);
}

const order = (a: Ranked, b: Ranked) =>
  b.score - a.score ||
  a.candidate.path.length - b.candidate.path.length ||
  (a.candidate.path < b.candidate.path ? -1 : 1);

const NONE = Number.NEGATIVE_INFINITY;
const IN_BASE = 60;
const AS_ONE = 40;
const AT_START = 40;
const WHOLE_NAME = 60;

/** Cheap: where the word is as one piece, or else the leftmost way to find its letters. */
function roughScore({ path, lower, base }: Candidate, word: string): number {
  const short = -path.length / 8;
  let at = lower.indexOf(word, base);
  if (at >= 0) {
    const whole = lower.length === at + word.length || lower[at + word.length] === ".";
    const start = at === base ? AT_START + (whole ? WHOLE_NAME : 0) : isStart(path, at) ? 20 : 0;
    return IN_BASE + AS_ONE + start + word.length * 4 + short;
  }
  if (hasLetters(lower, word, base)) return IN_BASE + short;
  at = lower.indexOf(word);
  if (at >= 0) return AS_ONE + (isStart(path, at) ? 20 : 0) + short;
  return hasLetters(lower, word, 0) ? short : NONE;
}

function hasLetters(text: string, word: string, from: number): boolean {
  let at = from - 1;
  for (let index = 0; index < word.length; index++) {
    at = text.indexOf(word[index] ?? "", at + 1);
    if (at < 0) return false;
  }
  return true;
}

function closely(candidate: Candidate, words: readonly string[]): Ranked {
  const matched = new Set<number>();
  let score = 0;
  for (const word of words) {
    const { path, base } = candidate;
    const inBase = align(candidate, word, base);
    const best = inBase ?? align(candidate, word, 0);
    if (!best) continue;
    score +=
      best.score + roughScore(candidate, word) + (inBase ? (path.length - base < 40 ? 2 : 0) : 0);
    for (const index of best.matched) matched.add(index);
  }
  return { candidate, score, matched: [...matched].sort((a, b) => a - b) };
}

/**
 * The best way to find the word's letters in order, from `from` on: letters side by side and at
 * starts of words count. `best[i][j]` is the score of the first i + 1 letters with the last at j.
 */
function align(
  { path, lower }: Candidate,
  word: string,
  from: number,
): { score: number; matched: number[] } | null {
  const width = lower.length - from;
  const rows: Float64Array[] = [];
  const cameFrom: Int32Array[] = [];
  for (let i = 0; i < word.length; i++) {
    const row = new Float64Array(width).fill(NONE);
    const origin = new Int32Array(width).fill(-1);
    const above = rows[i - 1];
    let bestBefore = NONE;
    let bestAt = -1;
    for (let j = 0; j < width; j++) {
      const before = above?.[j - 1] ?? NONE;
      if (before > bestBefore) {
        bestBefore = before;
        bestAt = j - 1;
      }
      if (lower[from + j] !== word[i]) continue;
      const own = 1 + (isStart(path, from + j) ? 8 : 0) + (j === 0 ? 4 : 0);
      if (!above) row[j] = own;
      else {
        const beside = before + 6;
        const apart = bestBefore - Math.min(5, (j - 1 - bestAt) / 4);
        row[j] = own + Math.max(beside, apart);
        origin[j] = beside >= apart ? j - 1 : bestAt;
      }
    }
    rows.push(row);
    cameFrom.push(origin);
  }
  const last = rows.at(-1);
  if (!last) return null;
  let end = -1;
  for (let j = 0; j < width; j++) if ((last[j] ?? NONE) > (last[end] ?? NONE)) end = j;
  if (end < 0) return null;
  const score = last[end] ?? NONE;
  const matched: number[] = [];
  for (let i = word.length - 1, j = end; i >= 0; i--) {
    matched.push(from + j);
    j = cameFrom[i]?.[j] ?? -1;
  }
  return { score, matched: matched.reverse() };
}

/** After a separator, or a capital after a small letter. */
function isStart(path: string, at: number): boolean {
  if (at === 0) return true;
  const before = path.charCodeAt(at - 1);
  if (before === 47 || before === 95 || before === 45 || before === 46 || before === 32)
    return true;
  const here = path.charCodeAt(at);
  return here >= 65 && here <= 90 && before >= 97 && before <= 122;
}

/** 26 letters, then the digits by halves; other characters have no bit. */
function maskOf(lower: string): number {
  let mask = 0;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    if (code >= 97 && code <= 122) mask |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) mask |= 1 << (26 + ((code - 48) >> 1));
  }
  return mask;
}

import type { Image } from "./image.js";
import type { FoundChange } from "./shadow-thread.js";

/** Pairs that are compared line by line. */
const MOST_COMPARED = 100;
/** Of their lines that two files must share. */
const ALIKE = 0.5;

export interface Renamed extends FoundChange {
  readonly from: string | null;
}

/**
 * A file that is gone and one that has come with the same bytes, or with half of its lines, are one file
 * with another name. `textOf` reads what is compared; null for what is no text.
 */
export async function findRenames(
  changes: readonly FoundChange[],
  textOf: (change: FoundChange) => Promise<string | null>,
): Promise<readonly Renamed[]> {
  const gone = new Set(changes.filter(({ after }) => after === null));
  const come = new Set(changes.filter(({ before }) => before === null));
  const pairs = new Map<FoundChange, FoundChange>();
  const pair = (to: FoundChange, from: FoundChange) => {
    pairs.set(to, from);
    come.delete(to);
    gone.delete(from);
  };
  const byContent = new Map(
    [...gone].filter(isFilled).map((from) => [contentOf(from.before), from]),
  );
  for (const to of come) {
    const same = byContent.get(contentOf(to.after));
    if (same && gone.has(same)) pair(to, same);
  }
  if (gone.size * come.size <= MOST_COMPARED) {
    for (const to of come) {
      const best = await mostAlike(to, [...gone], textOf);
      if (best) pair(to, best);
    }
  }
  const moved = new Set(pairs.values());
  return changes
    .filter((change) => !moved.has(change))
    .map((change) => {
      const from = pairs.get(change);
      return from ? { ...change, before: from.before, from: from.path } : { ...change, from: null };
    });
}

const contentOf = (image: Image | null): string =>
  image?.kind === "file" && !image.content.startsWith("none:") ? image.content : "";

/** Empty files are all alike, and links are short. */
const isFilled = ({ before }: FoundChange): boolean => before?.kind === "file" && before.size > 0;

async function mostAlike(
  to: FoundChange,
  gone: readonly FoundChange[],
  textOf: (change: FoundChange) => Promise<string | null>,
): Promise<FoundChange | null> {
  if (gone.length === 0) return null;
  const text = await textOf(to);
  if (!text) return null;
  let best: { readonly from: FoundChange; readonly share: number } | null = null;
  for (const from of gone) {
    const old = await textOf(from);
    const share = old ? sharedLines(old, text) : 0;
    if (share >= ALIKE && share > (best?.share ?? 0)) best = { from, share };
  }
  return best?.from ?? null;
}

/** How many of the lines of both they have in common, from 0 to 1. */
function sharedLines(a: string, b: string): number {
  const lines = (text: string) => text.split("\n").filter((line) => line.trim() !== "");
  const [old, now] = [lines(a), lines(b)];
  const counts = new Map<string, number>();
  for (const line of old) counts.set(line, (counts.get(line) ?? 0) + 1);
  let shared = 0;
  for (const line of now) {
    const left = counts.get(line) ?? 0;
    if (left === 0) continue;
    counts.set(line, left - 1);
    shared++;
  }
  return old.length + now.length === 0 ? 0 : (2 * shared) / (old.length + now.length);
}

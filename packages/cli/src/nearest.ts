/** Beyond this many slips another word was meant. */
const SLIPS = 2;

/** The word that was most likely meant; null if none is near. */
export function nearest(typed: string, words: readonly string[]): string | null {
  const ranked = words
    .map((word) => ({ word, slips: slips(typed, word) }))
    .filter((each) => each.slips <= SLIPS && each.slips < each.word.length)
    .sort((a, b) => a.slips - b.slips);
  return ranked[0]?.word ?? null;
}

/** Letters to put in, leave out, change, or swap with their neighbour. */
function slips(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const now = [row];
    for (let column = 1; column <= b.length; column++) {
      const changed = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped =
        a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
          ? (before[column - 2] ?? 0) + 1
          : Number.POSITIVE_INFINITY;
      now.push(Math.min((last[column] ?? 0) + 1, (now[column - 1] ?? 0) + 1, changed, swapped));
    }
    before = last;
    last = now;
  }
  return last[b.length] ?? 0;
}

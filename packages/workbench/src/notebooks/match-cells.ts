import type { CellKind } from "../contract/notebooks.js";

/** What tells a cell from another. */
export interface Likeness {
  readonly id: string | null;
  readonly kind: CellKind;
  readonly source: string;
}

/**
 * Which of the old cells each new one is: by their ids, then by their text, and what is left between two
 * cells that are known by its place. So a cell that was edited elsewhere stays the same cell, with the
 * cursors in it. Null for a cell that is new.
 */
export function matchCells(
  before: readonly Likeness[],
  after: readonly Likeness[],
): readonly (number | null)[] {
  const found: (number | null)[] = after.map(() => null);
  const taken = new Set<number>();
  const take = (at: number, old: number) => {
    found[at] = old;
    taken.add(old);
  };
  const known = uniqueIds(before);
  for (const [id, at] of uniqueIds(after)) {
    const old = known.get(id);
    if (old !== undefined) take(at, old);
  }
  matchTexts(before, after, { found, taken, take });
  matchPlaces(before, after, { found, taken, take });
  return found;
}

interface Matching {
  readonly found: readonly (number | null)[];
  readonly taken: ReadonlySet<number>;
  take(at: number, old: number): void;
}

function uniqueIds(cells: readonly Likeness[]): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  const double = new Set<string>();
  cells.forEach(({ id }, index) => {
    if (id === null) return;
    if (ids.has(id)) double.add(id);
    ids.set(id, index);
  });
  for (const id of double) ids.delete(id);
  return ids;
}

/** In order where a text is there several times. */
function matchTexts(
  before: readonly Likeness[],
  after: readonly Likeness[],
  { found, taken, take }: Matching,
): void {
  const places = new Map<string, number[]>();
  before.forEach((cell, index) => {
    if (taken.has(index)) return;
    const like = JSON.stringify([cell.kind, cell.source]);
    const same = places.get(like);
    if (same) same.push(index);
    else places.set(like, [index]);
  });
  after.forEach((cell, index) => {
    if (found[index] !== null) return;
    const old = places.get(JSON.stringify([cell.kind, cell.source]))?.shift();
    if (old !== undefined) take(index, old);
  });
}

/** A run of unknown cells after a known one is what came after that one before. */
function matchPlaces(
  before: readonly Likeness[],
  after: readonly Likeness[],
  { found, taken, take }: Matching,
): void {
  let old = -1;
  after.forEach((cell, index) => {
    const known = found[index];
    if (known !== null && known !== undefined) {
      old = known;
      return;
    }
    const next = old + 1;
    const isFree = !taken.has(next) && before[next]?.kind === cell.kind;
    // Two cells whose ids are both known and differ are not the same cell.
    const isOther = before[next]?.id && cell.id && before[next].id !== cell.id;
    if (!isFree || isOther) return;
    take(index, next);
    old = next;
  });
}

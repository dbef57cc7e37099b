import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyChanges, changesOf, diffRanges } from "./index.js";

const lines = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 14 });

/** As many lines as the longest common subsequence has, by the textbook. */
function longest(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    for (const [at, other] of b.entries()) {
      next.push(line === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const removed = (ranges: Int32Array) =>
  [...ranges].reduce((sum, value, at) => sum + [-value, value, 0, 0][at % 4]!, 0);

describe("a comparison of lines", () => {
  it("gives changes that make the one text of the other", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const changes = changesOf(diffRanges(before, after), after);
        expect(applyChanges(before, changes)).toEqual(after);
      }),
      { numRuns: 5_000 },
    );
  });

  it("changes as few lines as possible", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const kept = before.length - removed(diffRanges(before, after));
        expect(kept).toBe(longest(before, after));
      }),
      { numRuns: 5_000 },
    );
  });

  it("leaves at least one line between any two changes", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const changes = changesOf(diffRanges(before, after), after);
        for (const [at, { from }] of changes.entries()) {
          if (at > 0) expect(from).toBeGreaterThan(changes[at - 1]!.to);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("says how far it is, from nothing to all", () => {
    const told: number[] = [];
    const before = Array.from({ length: 1_000 }, (_, at) => `${at}`);
    const after = before.map((line) => (line.endsWith("5") ? `${line}!` : line));
    diffRanges(before, after, (fraction) => told.push(fraction));
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(1);
    expect(told.length).toBeGreaterThan(3);
  });

  it("ends soon for texts that have little in common, and is still right", () => {
    const random = fc.sample(fc.integer({ min: 0, max: 40 }), { numRuns: 40_000, seed: 7 });
    const before = random.slice(0, 20_000).map(String);
    const after = random.slice(20_000).map(String);
    const changes = changesOf(diffRanges(before, after), after);
    expect(applyChanges(before, changes)).toEqual(after);
    expect(changes.length).toBeGreaterThan(100);
  });

  it("needs nothing but its own source", () => {
    const alone = new Function(`return ${diffRanges};`)() as typeof diffRanges;
    const before = ["a", "b", "c", "b", "a"];
    const after = ["b", "c", "x", "a", "b"];
    expect(alone(before, after)).toEqual(diffRanges(before, after));
  });
});

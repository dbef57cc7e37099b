import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { characterChanges, diffLines, linesOf } from "./index.js";

const texts = fc
  .array(fc.constantFrom("a", "ab", "b😀", "b😁", ""), { maxLength: 10 })
  .map((lines) => lines.join("\n"));

const changesOf = (before: string, after: string) => {
  const lines = linesOf(before);
  return characterChanges(lines, diffLines(lines, linesOf(after)));
};

describe("changes of characters", () => {
  it("make the one text of the other, in order and without touching each other", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        let made = "";
        let at = 0;
        for (const { from, to, insert } of changesOf(before, after)) {
          expect(from).toBeGreaterThanOrEqual(at);
          made += before.slice(at, from) + insert;
          at = to;
        }
        expect(made + before.slice(at)).toBe(after);
      }),
      { numRuns: 2_000 },
    );
  });

  it("touch only what differs, and no half of a character", () => {
    expect(changesOf("one\ntwo\nthree", "one\ntoo\nthree")).toEqual([
      { from: 5, to: 6, insert: "o" },
    ]);
    expect(changesOf("😀", "😁")).toEqual([{ from: 0, to: 2, insert: "😁" }]);
    expect(changesOf("same", "same")).toEqual([]);
  });
});

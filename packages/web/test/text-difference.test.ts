import { Text } from "@codemirror/state";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textDifference } from "../src/editor/text-difference.js";

const textOf = (lines: readonly string[]): Text => Text.of([...lines]);
const line = fc.constantFrom("", "a", "b", "ab", "a b", "🌊", "🌋", "long line of words");
const text = fc.array(line, { minLength: 1, maxLength: 12 }).map(textOf);

describe("the difference of two texts", () => {
  it("makes the one of the other", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(textDifference(before, after).apply(before).toString()).toBe(after.toString());
      }),
      { numRuns: 500 },
    );
  });

  it("leaves lines alone that are in both", () => {
    const before = textOf(["one", "two", "three", "four"]);
    const after = textOf(["zero", "one", "three!", "four"]);
    const touched: string[] = [];
    textDifference(before, after).iterChanges((from, to) =>
      touched.push(before.sliceString(from, to)),
    );
    expect(touched.join("")).not.toContain("one");
    expect(touched.join("")).not.toContain("four");
  });

  it("never cuts a character of two halves", () => {
    const before = textOf(["x🌊y"]);
    const inserted: string[] = [];
    textDifference(before, textOf(["x🌋y"])).iterChanges((_from, _to, _start, _end, text) => {
      inserted.push(text.toString());
    });
    expect(inserted).toEqual(["🌋"]);
  });
});

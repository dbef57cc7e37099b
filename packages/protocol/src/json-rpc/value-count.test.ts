import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasTooManyValues, MOST_VALUES } from "./value-count.js";

/** A text with this many commas outside of strings, and one bracket. */
const list = (commas: number) => `[${"0,".repeat(commas)}0]`;

describe("hasTooManyValues", () => {
  it("counts what stands outside of strings", () => {
    expect(hasTooManyValues(list(MOST_VALUES - 1))).toBe(false);
    expect(hasTooManyValues(list(MOST_VALUES))).toBe(true);
    for (const bracket of ["[", "{", ",", ":"]) {
      expect(hasTooManyValues(bracket.repeat(MOST_VALUES + 1)), bracket).toBe(true);
    }
  });

  it("counts nothing inside of strings, whatever they hold", () => {
    const part = fc.constantFrom('"', "\\", "[", "{", ",", ":", "\n", "\u2028", "é", "😀");
    const text = fc.array(part, { minLength: 1, maxLength: 50 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (piece) => {
        const long = piece.repeat(Math.ceil((2 * MOST_VALUES) / piece.length));
        expect(hasTooManyValues(JSON.stringify({ [piece]: long, [long]: piece }))).toBe(false);
        expect(hasTooManyValues(JSON.stringify(long) + list(MOST_VALUES))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it("takes a string without an end for what it is", () => {
    expect(hasTooManyValues(`"${"[".repeat(MOST_VALUES * 2)}`)).toBe(false);
    expect(hasTooManyValues(`"${"\\".repeat(MOST_VALUES * 2)}`)).toBe(false);
  });
});

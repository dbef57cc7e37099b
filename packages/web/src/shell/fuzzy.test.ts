import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fuzzyMatch } from "./fuzzy.js";

const best = (query: string, ...texts: string[]) =>
  texts
    .flatMap((text) => {
      const match = fuzzyMatch(query, text);
      return match ? [{ text, score: match.score }] : [];
    })
    .sort((a, b) => b.score - a.score)[0]?.text;

describe("a fuzzy match", () => {
  it("marks the letters of the query, in their order", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 6 }), fc.string({ maxLength: 30 }), (query, text) => {
        const match = fuzzyMatch(query, text);
        if (!match || text.toLowerCase().length !== text.length) return;
        const letters = match.matched.map((at) => text.toLowerCase()[at]).join("");
        expect(letters.replaceAll(" ", "")).toBe(query.toLowerCase().replaceAll(" ", ""));
        expect(match.matched).toEqual([...match.matched].sort((a, b) => a - b));
      }),
    );
  });

  it("finds every text that has the letters in their order, whatever stands between", () => {
    const word = fc.string({ unit: fc.constantFrom(..."abc "), maxLength: 12 });
    fc.assert(
      fc.property(word, word, (query, text) => {
        let from = 0;
        const has = [...query.replaceAll(" ", "")].every((letter) => {
          from = text.indexOf(letter, from) + 1;
          return from > 0;
        });
        expect(fuzzyMatch(query, text) !== null).toBe(has);
      }),
    );
  });

  it("prefers starts of words, and whole words above all", () => {
    expect(best("gl", "Toggle Comment", "Go to Line")).toBe("Go to Line");
    expect(best("save", "Settings: Always verify", "File: Save")).toBe("File: Save");
    expect(best("nf", "Unfold", "New File")).toBe("New File");
  });
});

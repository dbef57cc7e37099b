import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countLines, offsetAt, positionAt, textIn, toLf } from "./text.js";

const texts = fc.string({ unit: fc.constantFrom("a", "ü", "😀", "\n", " ") });

describe("positions", () => {
  it("and offsets are each other's inverse", () => {
    fc.assert(
      fc.property(texts, fc.nat(), (text, seed) => {
        const offset = seed % (text.length + 1);
        expect(offsetAt(text, positionAt(text, offset))).toBe(offset);
      }),
    );
  });

  it("past the end mean the end of the line or of the text", () => {
    expect(offsetAt("ab\ncd", { line: 0, character: 99 })).toBe(2);
    expect(offsetAt("ab\ncd", { line: 9, character: 0 })).toBe(5);
  });

  it("cut a text into parts that make it whole again", () => {
    fc.assert(
      fc.property(texts, fc.nat(), (text, seed) => {
        const start = { line: 0, character: 0 };
        const middle = positionAt(text, seed % (text.length + 1));
        const end = positionAt(text, text.length);
        expect(textIn(text, { start, end: middle }) + textIn(text, { start: middle, end })).toBe(
          text,
        );
      }),
    );
  });
});

describe("lines", () => {
  it("are one more than their ends", () => {
    fc.assert(fc.property(texts, (text) => countLines(text) === text.split("\n").length));
  });

  it("end with LF, whatever they ended with", () => {
    expect(toLf("a\r\nb\rc\nd\r\n")).toBe("a\nb\nc\nd\n");
  });
});

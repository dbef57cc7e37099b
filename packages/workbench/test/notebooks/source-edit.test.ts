import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JUPYTER } from "../../src/notebooks/json-style.js";
import { editedSource, leastEdit, sourceText } from "../../src/notebooks/source-edit.js";

const letters = fc.string({
  unit: fc.constantFrom("a", "b", '"', "\\", "\n", "\n", "\t", "ä", "😀", "\r"),
  maxLength: 12,
});
/** The same string, spelled as somebody might have: some letters as escapes. */
const spelled = fc.tuple(letters, fc.nat(7)).map(([text, seed]) =>
  JSON.stringify(text).replace(/[a-zä]/g, (letter, at: number) => {
    const isEscape = (at + seed) % 3 === 0 && text.length > 2 && !/\\/.test(JSON.stringify(text));
    return isEscape ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}` : letter;
  }),
);
const list = fc
  .tuple(fc.array(spelled, { maxLength: 5 }), fc.constantFrom(", ", ",", ",\n    "))
  .map(([pieces, gap]) => {
    const lead = gap.slice(1).trimStart() === "" && gap.includes("\n") ? gap.slice(1) : "";
    return pieces.length === 0 ? "[]" : `[${lead}${pieces.join(gap)}${lead && "\n   "}]`;
  });
const source = fc.oneof(list, spelled);
const edit = fc.record({ at: fc.nat(60), remove: fc.nat(8), insert: letters });

describe("an edit of a cell's text", () => {
  it("makes the JSON of its source mean the new text, as a list where it was one", () => {
    fc.assert(
      fc.property(source, edit, (raw, { at, remove, insert }) => {
        const before = sourceText(raw) ?? "";
        const from = Math.min(at, before.length);
        const to = Math.min(from + remove, before.length);
        const after = editedSource(raw, [{ from, to, insert }], JUPYTER);
        expect(sourceText(after)).toBe(before.slice(0, from) + insert + before.slice(to));
        expect(after[0]).toBe(raw[0]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("leaves the spelling of all lines before and after it as it was", () => {
    const raw = '["\\u0061 = 1\\n", "b\\u0020= 2\\n", "c = \\/3\\n", "\\u0064"]';
    const after = editedSource(raw, [{ from: 8, to: 8, insert: "!" }], JUPYTER);
    expect(after).toBe('["\\u0061 = 1\\n", "b\\u0020!= 2\\n", "c = \\/3\\n", "\\u0064"]');
    const split = editedSource(raw, [{ from: 8, to: 8, insert: "\n" }], JUPYTER);
    expect(split).toBe('["\\u0061 = 1\\n", "b\\u0020\\n", "= 2\\n", "c = \\/3\\n", "\\u0064"]');
    const joined = editedSource(raw, [{ from: 5, to: 6, insert: "" }], JUPYTER);
    expect(joined).toBe('["\\u0061 = 1b\\u0020= 2\\n", "c = \\/3\\n", "\\u0064"]');
  });

  it("adds and takes away lines in the way of the list", () => {
    const raw = '[\n    "a\\n",\n    "b"\n   ]';
    const more = editedSource(raw, [{ from: 3, to: 3, insert: "\nc\n" }], JUPYTER);
    expect(more).toBe('[\n    "a\\n",\n    "b\\n",\n    "c\\n"\n   ]');
    expect(editedSource(raw, [{ from: 0, to: 2, insert: "" }], JUPYTER)).toBe('[\n    "b"\n   ]');
    expect(editedSource(raw, [{ from: 0, to: 3, insert: "" }], JUPYTER)).toBe("[]");
    expect(editedSource("[]", [{ from: 0, to: 0, insert: "a\nb" }], JUPYTER)).toBe(raw);
  });

  it("at several places at once is made at all of them", () => {
    const edits = [
      { from: 0, to: 1, insert: "x" },
      { from: 2, to: 3, insert: "y\nz" },
    ];
    expect(editedSource('["a\\n", "b"]', edits, JUPYTER)).toBe('["x\\n", "y\\n", "z"]');
  });
});

describe("the least edit", () => {
  it("makes one text of the other, and is nothing between equal ones", () => {
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        const least = leastEdit(before, after);
        const { from, to, insert } = least ?? { from: 0, to: 0, insert: "" };
        expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
      }),
    );
  });
});

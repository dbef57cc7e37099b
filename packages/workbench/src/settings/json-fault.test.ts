import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entryLines, jsonFault } from "./json-fault.js";

describe("a fault in JSON", () => {
  it("is found in no text that the engine wrote", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2, "\t"), (value, indent) => {
        expect(jsonFault(JSON.stringify(value, null, indent))).toBeNull();
      }),
    );
  });

  it("is found exactly in the texts that the engine refuses", () => {
    const piece = fc.constantFrom(..."{}[]:,\"\\/u0'a1-.eE+ \n#", '"a"', "true", "null", "12");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        expect(jsonFault(text) === null).toBe(isJson(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['{\n  "a": 1,\n  // why\n  "b": 2\n}', 3, "comments are not allowed in JSON; take them out"],
    ['{\n  "a": 1,\n}', 3, "a comma must not stand before the end"],
    ["{ 'a': 1 }", 1, "texts must stand in double quotes"],
    ['{ "a": 1\n  "b": 2 }', 2, '"," or "}" should stand here'],
    ['{ "a": ', 1, "the text ends where a value should stand"],
    ["{} {}", 1, "the end of the text should stand here"],
    ["[".repeat(100_000), 1, "this is nested too deep"],
    [`"${"a".repeat(200_000)}`, 1, "this text does not end, or has a wrong escape"],
  ])("is told with its line and what is wrong (%#)", (text, line, what) => {
    expect(jsonFault(text)).toEqual({ line, what });
  });
});

describe("the lines of entries", () => {
  it("are those of the names at the top, however texts inside look", () => {
    const text = '{\n"a": {"x": 1},\n\n"b\\"c": "{ \\"no\\": 1",\n"d": ["e", {"f": 1}]}';
    expect([...entryLines(text)]).toEqual([
      ["a", 2],
      ['b"c', 4],
      ["d", 5],
    ]);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

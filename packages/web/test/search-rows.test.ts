import { fileUri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { piecesOf, searchRows } from "../src/files/search-rows.js";

const shown = (text: string, ...matches: (readonly [number, number])[]) =>
  piecesOf({ line: 0, text, matches: matches.map(([from, to]) => ({ from, to })) })
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join("");

describe("a line that was found", () => {
  it("is shown with its matches, without the blanks before it", () => {
    expect(shown("    a needle, a needle", [6, 12], [16, 22])).toBe("a [needle], a [needle]");
    expect(shown("  x", [0, 3])).toBe("[  x]");
  });
  it("is cut on the left where the match would be out of sight", () => {
    const text = `${"x".repeat(100)}needle`;
    expect(shown(text, [100, 106])).toBe(`…${"x".repeat(12)}[needle]`);
  });
  it("cannot turn or hide a part of itself, and its matches stay where they are", () => {
    expect(shown("a\u202eb\tneedle\u0000", [4, 10])).toBe("a\ufffdb\t[needle]\ufffd");
  });
  it("may have empty matches, which show nothing", () => {
    expect(shown("ab", [0, 0], [1, 1])).toBe("ab");
  });
});

describe("the rows of a search", () => {
  it("name files as they are called, whatever is in a name", () => {
    const files = [{ uri: fileUri("/p/a"), path: "\u202es/a\n\u2066.ts", lines: [] }];
    expect(searchRows(files, new Set())).toMatchObject([
      { name: "a\ufffd\ufffd.ts", place: "\ufffds" },
    ]);
  });
  it("are each file and, where it is open, its lines", () => {
    const uri = fileUri("/p/src/a.ts");
    const line = {
      line: 4,
      text: "x x",
      matches: [
        { from: 0, to: 1 },
        { from: 2, to: 3 },
      ],
    };
    const files = [{ uri, path: "src/a.ts", lines: [line] }];
    const rows = searchRows(files, new Set());
    expect(rows).toMatchObject([
      { kind: "file", name: "a.ts", place: "src", count: 2, open: true },
      { kind: "line", line: { line: 4 } },
    ]);
    expect(searchRows(files, new Set([uri]))).toHaveLength(1);
  });
});

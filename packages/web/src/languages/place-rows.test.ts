import { fileUri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { placeRows } from "./place-rows.js";

const place = (path: string, text: string, name: string) => {
  const character = text.indexOf(name);
  const start = { line: 3, character };
  const end = { line: 3, character: character + name.length };
  return { uri: fileUri(`/p/${path}`), path, text, range: { start, end } };
};

describe("a list of places", () => {
  it("is by file, with the name in its line", () => {
    const rows = placeRows(
      [
        place("src/a.ts", "  call(tide);", "tide"),
        place("b.ts", "tide", "tide"),
        place("src/a.ts", "tide;", "tide"),
      ],
      new Set(),
    );
    expect(rows.map((row) => (row.kind === "file" ? [row.name, row.count] : row.pieces))).toEqual([
      ["a.ts", 2],
      ["call(", "tide", ");"],
      ["", "tide", ";"],
      ["b.ts", 1],
      ["", "tide", ""],
    ]);
  });

  it("keeps the name in sight in a long line, and the lines of a closed file out of it", () => {
    const long = place("a.ts", `${"x".repeat(500)} tide`, "tide");
    const [, row] = placeRows([long], new Set());
    expect(row?.kind === "place" && row.pieces[0].length).toBe(61);
    expect(placeRows([long], new Set([long.uri])).length).toBe(1);
  });
});

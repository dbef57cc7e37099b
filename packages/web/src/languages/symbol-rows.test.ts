import type { DocumentSymbol } from "@lockstep/workbench/contract";
import { describe, expect, it } from "vitest";
import { symbolRows } from "./symbol-rows.js";

const symbol = (
  name: string,
  line: number,
  children: readonly DocumentSymbol[] = [],
): DocumentSymbol => {
  const range = { start: { line, character: 0 }, end: { line: line + 1, character: 0 } };
  return { name, detail: "", kind: "class", range, selection: range, children };
};
const symbols = [symbol("second", 9), symbol("First", 1, [symbol("getName", 3), symbol("age", 2)])];

describe("the names in a file", () => {
  it("stand as in the text, each below what it is in", () => {
    expect(symbolRows(symbols, "").map(({ symbol: { name }, depth }) => [name, depth])).toEqual([
      ["First", 0],
      ["age", 1],
      ["getName", 1],
      ["second", 0],
    ]);
  });

  it("are found by some of their letters, with what they are in", () => {
    const [row, ...others] = symbolRows(symbols, "gname");
    expect(others).toEqual([]);
    expect(row).toMatchObject({ symbol: { name: "getName" }, inside: "First", depth: 0 });
    expect(row?.matched.length).toBe(5);
  });
});

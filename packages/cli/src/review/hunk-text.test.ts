import type { HunkInfo } from "@lockstep/workbench/contract";
import { describe, expect, it } from "vitest";
import { hunkText } from "./hunk-text.js";

const base = ["a", "b", "c", "d", "e", "f", "g", "h"];

describe("a hunk as a person reads it", () => {
  // "b" became two lines, "d" was to go and stays, "g" became "G".
  const hunks: readonly HunkInfo[] = [
    { id: 1, from: 1, to: 2, decision: "kept", count: 2 },
    { id: 2, from: 3, to: 4, decision: "dropped", count: 0, lines: [] },
    { id: 3, from: 6, to: 7, decision: "pending", count: 1 },
  ];
  const shown = ["a", "B1", "B2", "c", "d", "e", "f", "G", "h"];
  const read = (at: number) => {
    const hunk = hunks[at];
    if (!hunk) throw new Error("no such hunk");
    return hunkText(hunk, hunks, base, shown);
  };

  it("has its lines and those around it", () => {
    expect(read(0)).toEqual({
      at: { base: 2, shown: 2 },
      before: ["a"],
      removed: ["b"],
      added: ["B1", "B2"],
      after: ["c", "d", "e"],
    });
  });

  it("has no line behind the end of the last", () => {
    const hunk: HunkInfo = { id: 1, from: 1, to: 2, decision: "pending", count: 1 };
    expect(hunkText(hunk, [hunk], ["a", "b", ""], ["a", "B", ""])).toMatchObject({ after: [] });
  });

  it("that was dropped takes its lines from itself, not from the right side", () => {
    expect(read(1)).toMatchObject({ removed: ["d"], added: [] });
  });

  it("finds its lines behind others that have more or fewer than the base", () => {
    expect(read(2)).toMatchObject({ at: { base: 7, shown: 8 }, removed: ["g"], added: ["G"] });
  });
});

import { fileUri } from "@lockstep/protocol";
import type { FileProblems, Problem } from "@lockstep/workbench/contract";
import { describe, expect, it } from "vitest";
import { type ProblemFilter, problemRows, problemText, sourceOf } from "./problem-rows.js";

const problem = (message: string, line: number, more: Partial<Problem> = {}): Problem => ({
  message,
  severity: "error",
  range: { start: { line, character: 2 }, end: { line, character: 4 } },
  ...more,
});
const file = (path: string, items: readonly Problem[], more = 0): FileProblems => ({
  uri: fileUri(`/p/${path}`),
  path,
  items,
  more,
  counts: {
    errors: items.filter(({ severity }) => severity === "error").length + more,
    warnings: items.filter(({ severity }) => severity === "warning").length,
    informations: items.filter(({ severity }) => severity === "information").length,
  },
});
const all: ProblemFilter = {
  text: "",
  errors: true,
  warnings: true,
  informations: true,
  only: null,
};
const shown = (files: readonly FileProblems[], filter: Partial<ProblemFilter>, closed = "") =>
  problemRows(files, { ...all, ...filter }, new Set([closed])).map((row) =>
    row.kind === "problem" ? row.message : row.kind === "file" ? row.name : row.count,
  );

describe("the list of problems", () => {
  const files = [
    file("src/z.ts", [problem("later", 9), problem("sooner", 1, { source: "ts", code: "2322" })]),
    file("src/a.ts", [problem("mild", 3, { severity: "warning" })]),
    file("b.ts", [problem("note", 0, { severity: "information" })]),
  ];

  it("has files with errors first, then by path, and in a file the order of the text", () => {
    expect(shown(files, {})).toEqual(["z.ts", "sooner", "later", "b.ts", "note", "a.ts", "mild"]);
  });

  it("leaves out what the filter does not want, and files that have nothing else", () => {
    expect(shown(files, { errors: false })).toEqual(["b.ts", "note", "a.ts", "mild"]);
    expect(shown(files, { warnings: false, informations: false })).toEqual([
      "z.ts",
      "sooner",
      "later",
    ]);
    expect(shown(files, { text: "SOON" })).toEqual(["z.ts", "sooner"]);
    expect(shown(files, { text: "2322" })).toEqual(["z.ts", "sooner"]);
    expect(shown(files, { text: "src/a" })).toEqual(["a.ts", "mild"]);
    expect(shown(files, { only: fileUri("/p/b.ts") })).toEqual(["b.ts", "note"]);
  });

  it("folds a file, and says how many problems of it are not told", () => {
    expect(shown(files, {}, fileUri("/p/src/z.ts"))).toEqual([
      "z.ts",
      "b.ts",
      "note",
      "a.ts",
      "mild",
    ]);
    expect(shown([file("a.ts", [problem("one", 0)], 41)], {})).toEqual(["a.ts", "one", 41]);
  });

  it("does not list what only fades or strikes text, but does list other hints", () => {
    const hints = [
      problem("unused", 0, { severity: "hint", tags: ["unnecessary"] }),
      problem("could be shorter", 1, { severity: "hint" }),
    ];
    expect(shown([file("a.ts", hints)], {})).toEqual(["a.ts", "could be shorter"]);
  });

  it("shows a message in one line in which nothing can turn or hide the rest", () => {
    const [, row] = shown([file("a.ts", [problem("first\n  second \u202egnorw", 0)])], {});
    expect(row).toMatch(/^first second /);
    expect(row).not.toContain("\u202e");
  });

  it("writes a problem as compilers do, for the clipboard", () => {
    const one = problem("bad", 4, { source: "ts", code: "1" });
    expect(sourceOf(one)).toBe("ts(1)");
    expect(problemText(file("src/a.ts", []), one)).toBe("src/a.ts:5:3 error: bad ts(1)");
  });
});

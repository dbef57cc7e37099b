import { describe, expect, it } from "vitest";
import { marksByPath, markWords } from "./marks.js";

describe("marks beside the names of files", () => {
  it("are summed up in the folders above, of which the worst counts", () => {
    const marks = marksByPath([
      { path: "/p/src/a.ts", mark: { severity: "warning", count: 2 } },
      { path: "/p/src/deep/b.ts", mark: { severity: "error", count: 1 } },
      { path: "/p/c.ts", mark: { severity: "warning", count: 4 } },
    ]);
    expect(marks.get("/p/src/a.ts")).toEqual({ severity: "warning", count: 2 });
    expect(marks.get("/p/src/deep")).toEqual({ severity: "error", count: 1 });
    expect(marks.get("/p/src")).toEqual({ severity: "error", count: 3 });
    expect(marks.get("/p")?.severity).toBe("error");
    expect(marks.get("/p/other")).toBeUndefined();
  });

  it("have words", () => {
    expect(markWords({ severity: "error", count: 1 })).toBe("1 error");
    expect(markWords({ severity: "warning", count: 1_200 })).toBe("1,200 warnings");
  });
});

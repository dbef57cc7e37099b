import { describe, expect, it } from "vitest";
import { chooseIde } from "./choose-ide.js";
import type { Ide } from "./ide.js";

const ide = (port: number, folders: string[], more: Partial<Ide> = {}): Ide => ({
  port,
  name: `ide ${port}`,
  pid: 1,
  folders,
  lockFiles: [],
  announcedAt: 0,
  problems: [],
  token: () => "",
  ...more,
});

const broken = { problems: [{ code: "process-gone", fatal: true, message: "Gone." }] as const };

describe("the IDE that is meant", () => {
  it("is the one on the given port, even elsewhere", () => {
    const ides = [ide(1, ["/a"]), ide(2, ["/b"])];
    expect(chooseIde(ides, { port: 2, cwd: "/a", env: {} }).port).toBe(2);
    expect(() => chooseIde(ides, { port: 3, env: {} })).toThrow("No editor announces port 3");
    expect(() => chooseIde([ide(1, [], broken)], { port: 1, env: {} })).toThrow("Gone.");
  });

  it("is else the one that this terminal belongs to, if it still lives", () => {
    const env = { CLAUDE_CODE_SSE_PORT: "2" };
    expect(chooseIde([ide(1, ["/a"]), ide(2, ["/b"])], { cwd: "/a", env }).port).toBe(2);
    expect(chooseIde([ide(1, ["/a"]), ide(2, ["/b"], broken)], { cwd: "/a", env }).port).toBe(1);
  });

  it("is else the one with the closest folder around this one, then the newest", () => {
    const ides = [
      ide(1, ["/a"], { announcedAt: 9 }),
      ide(2, ["/x", "/a/b"], { announcedAt: 1 }),
      ide(3, ["/a/b"], { announcedAt: 2 }),
      ide(4, ["/a/b/c/d"]),
      ide(5, ["/a/b/c"], broken),
      ide(6, ["/a/bb"]),
    ];
    expect(chooseIde(ides, { cwd: "/a/b/c", env: {} }).port).toBe(3);
    expect(chooseIde(ides, { cwd: "/a/z", env: {} }).port).toBe(1);
    expect(() => chooseIde(ides, { cwd: "/elsewhere", env: {} })).toThrow("/elsewhere");
  });
});

import { describe, expect, it } from "vitest";
import { glob, WatchedFiles } from "./watched-files.js";

describe("a pattern of the protocol", () => {
  for (const [pattern, fits, doesNot] of [
    ["**/*.rs", ["a.rs", "/p/src/a.rs"], ["a.rst", "a.rs/b"]],
    ["/p/**/*", ["/p/a", "/p/a/b.c"], ["/q/a"]],
    ["**/Cargo.{lock,toml}", ["Cargo.lock", "x/Cargo.toml"], ["Cargo.json", "xCargo.lock"]],
    ["*.{ts,{m,c}js}", ["a.ts", "a.mjs"], ["b/a.ts", "a.js"]],
    ["a?.[cC]", ["ab.c", "ab.C"], ["a.c", "a/.c"]],
    ["[!a].x", ["b.x"], ["a.x", "/.x"]],
    ["a,b(c)+.go", ["a,b(c)+.go"], ["abc.go"]],
    ["src/**", ["src/a", "src/a/b"], ["src"]],
  ] as const) {
    it(`${pattern} fits what it says`, () => {
      for (const path of fits) expect([path, glob(pattern).test(path)]).toEqual([path, true]);
      for (const path of doesNot) expect([path, glob(pattern).test(path)]).toEqual([path, false]);
    });
  }

  it("that cannot be read, or would take too long, fits everything", () => {
    for (const pattern of ["{a", "[z-a]", "*a*a*a*a*a*a*a*a*b", "x".repeat(5_000)])
      expect([pattern, glob(pattern).test("a/b")]).toEqual([pattern, true]);
  });
});

describe("changes on the disk", () => {
  const folder = "/p";
  const hears = (
    watched: WatchedFiles,
    path: string,
    kind: "create" | "update" | "delete" = "update",
  ) => watched.among([{ path, kind }]).length === 1;

  it("are told to a server by the patterns that it has registered, and no others", () => {
    const watched = new WatchedFiles([folder]);
    const globPattern = { baseUri: "file:///p", pattern: "**/*.rs" };
    watched.register("1", { watchers: [{ globPattern }, { globPattern: "Cargo.lock", kind: 4 }] });
    expect(hears(watched, "/p/src/a.rs")).toBe(true);
    expect(hears(watched, "/p/target/debug/hi")).toBe(false);
    expect(hears(watched, "/q/src/a.rs")).toBe(false);
    expect(hears(watched, "/p/Cargo.lock")).toBe(false);
    expect(hears(watched, "/p/Cargo.lock", "delete")).toBe(true);
    watched.unregister("1");
    expect(hears(watched, "/p/src/a.rs")).toBe(false);
  });

  it("are all told to a server that registers nonsense, or too much", () => {
    const many = Array.from({ length: 300 }, (_, index) => String(index));
    for (const registrations of [
      [{ watchers: 5 }],
      [null],
      [{ watchers: many.map(() => ({ globPattern: "*.x" })) }],
      many.map(() => ({ watchers: [] })),
    ]) {
      const watched = new WatchedFiles([folder]);
      for (const [index, options] of registrations.entries()) watched.register(`${index}`, options);
      expect(hears(watched, "/p/anything")).toBe(true);
    }
  });

  it("are told as they are where so many come at once that looking at each would take long", () => {
    const watched = new WatchedFiles([folder]);
    watched.register("1", { watchers: [{ globPattern: "**/*.rs" }] });
    const kind = "update" as const;
    const changes = Array.from({ length: 5_000 }, (_, index) => ({ path: `/p/${index}`, kind }));
    expect(watched.among(changes)).toHaveLength(5_000);
    expect(watched.among(changes.slice(0, 100))).toHaveLength(0);
  });
});

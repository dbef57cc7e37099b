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
  const rust = (path: string, kind: "create" | "update" | "delete" = "update") => ({ path, kind });

  it("are told to a server by the patterns that it has registered, and no others", () => {
    const watched = new WatchedFiles([folder]);
    expect(watched.isEmpty).toBe(true);
    const globPattern = { baseUri: "file:///p", pattern: "**/*.rs" };
    watched.register("1", { watchers: [{ globPattern }, { globPattern: "Cargo.lock", kind: 4 }] });
    expect(watched.wants(rust("/p/src/a.rs"))).toBe(true);
    expect(watched.wants(rust("/p/target/debug/hi"))).toBe(false);
    expect(watched.wants(rust("/q/src/a.rs"))).toBe(false);
    expect(watched.wants(rust("/p/Cargo.lock"))).toBe(false);
    expect(watched.wants(rust("/p/Cargo.lock", "delete"))).toBe(true);
    watched.unregister("1");
    expect(watched.wants(rust("/p/src/a.rs"))).toBe(false);
  });

  it("are all told to a server that registers nonsense, or too much", () => {
    for (const options of [
      { watchers: 5 },
      null,
      { watchers: Array.from({ length: 2_000 }, () => ({ globPattern: "*.x" })) },
    ]) {
      const watched = new WatchedFiles([folder]);
      watched.register("1", options);
      expect(watched.wants(rust("/p/anything"))).toBe(true);
    }
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filePath, fileUri, parseUri, plainFileUrl } from "./uri.js";

/** Absolute paths with all that a name may hold. */
const paths = fc
  .array(
    fc.string({ unit: "grapheme", minLength: 1 }).filter((name) => !name.includes("/")),
    {
      minLength: 1,
    },
  )
  .map((names) => `/${names.join("/")}`);

describe("file URIs", () => {
  it("come back as the path they were made of", () => {
    fc.assert(fc.property(paths, (path) => filePath(fileUri(path)) === path));
  });

  it("hold only what a URI may hold", () => {
    fc.assert(
      fc.property(paths, (path) => /^file:\/\/\/[\w.~!$&'()*+,;=:@%/-]*$/.test(fileUri(path))),
    );
  });

  it("have one spelling, however they were encoded", () => {
    fc.assert(fc.property(paths, (path) => parseUri(fileUri(path)) === fileUri(path)));
    const spellings = [
      "file:///a%20b/%C3%BC.ts",
      "file:///a b/ü.ts",
      "file://localhost/a%20b/ü.ts",
      "file:/a b/ü.ts",
    ];
    for (const spelling of spellings) expect(parseUri(spelling)).toBe("file:///a%20b/%C3%BC.ts");
  });

  it("take a stray percent sign for what it is", () => {
    expect(filePath(parseUri("file:///100%.txt") ?? fileUri("/"))).toBe("/100%.txt");
  });

  it("are refused for no path, and for no URI", () => {
    for (const text of [
      "file://server",
      "file://server/",
      "file:////server/share",
      "file:",
      "a.ts",
      "/a.ts",
      "",
    ]) {
      expect(parseUri(text)).toBeNull();
    }
    expect(() => fileUri("a.ts")).toThrow("Not an absolute path");
  });

  it("are told from others", () => {
    const untitled = parseUri("untitled:Untitled-1");
    expect(untitled).toBe("untitled:Untitled-1");
    expect(untitled && filePath(untitled)).toBeNull();
  });

  it("have a spelling for agents, in which nothing is encoded", () => {
    expect(plainFileUrl("/b ü #1.ts")).toBe("file:///b ü #1.ts");
  });
});

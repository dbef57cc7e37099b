import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  baseName,
  isAbsolutePath,
  isWithin,
  posixSpelling,
  windowsFromWsl,
  windowsSpelling,
  wslSpelling,
} from "./paths.js";
import { filePath, fileUri, parseUri, plainFileUrl } from "./uri.js";

/** A name that Windows allows, with all that URIs find hard. */
const name = fc
  .string({
    unit: fc.constantFrom("a", "ü", "😀", "#", "?", "%", " ", "%20", ".", "~"),
    minLength: 1,
  })
  .filter((text) => text !== "." && text !== "..");
const drive = fc.constantFrom("C", "D", "Z");
const windowsPaths = fc
  .tuple(drive, fc.array(name))
  .map(([letter, names]) => `${letter}:\\${names.join("\\")}`);
const shares = fc.array(name, { minLength: 2 }).map((names) => `\\\\server\\${names.join("\\")}`);

describe("a Windows path survives the way", () => {
  it("to a URI and back, in any case of its drive", () => {
    fc.assert(fc.property(windowsPaths, (path) => filePath(fileUri(path)) === path));
    fc.assert(
      fc.property(
        windowsPaths,
        (path) => fileUri(path[0]?.toLowerCase() + path.slice(1)) === fileUri(path),
      ),
    );
    expect(fileUri("C:\\Users\\foo")).toBe("file:///c:/Users/foo");
    expect(fileUri("c:/Users/foo")).toBe("file:///c:/Users/foo");
  });

  it("to JetBrains' spelling and back", () => {
    fc.assert(fc.property(windowsPaths, (path) => windowsSpelling(posixSpelling(path)) === path));
    expect(posixSpelling("C:\\Users\\foo\\project")).toBe("/c/Users/foo/project");
    expect(windowsSpelling("/c/Users/foo")).toBe("C:\\Users\\foo");
    expect(windowsSpelling("c:/Users/foo")).toBe("C:\\Users\\foo");
    expect(windowsSpelling("/c")).toBe("C:\\");
  });

  it("into WSL and back", () => {
    fc.assert(fc.property(windowsPaths, (path) => windowsFromWsl(wslSpelling(path)) === path));
    expect(wslSpelling("C:\\Users\\foo")).toBe("/mnt/c/Users/foo");
    expect(windowsFromWsl("/home/ada")).toBe("/home/ada");
    expect(windowsFromWsl("/mnt/data/x")).toBe("/mnt/data/x");
  });

  it("as a network share too", () => {
    fc.assert(fc.property(shares, (path) => filePath(fileUri(path)) === path));
    fc.assert(fc.property(shares, (path) => windowsSpelling(posixSpelling(path)) === path));
    expect(fileUri("\\\\server\\share\\a b.ts")).toBe("file://server/share/a%20b.ts");
    expect(posixSpelling("\\\\server\\share\\a")).toBe("//server/share/a");
  });

  it("through every spelling of its URI", () => {
    for (const spelling of [
      "file:///c:/a%20b",
      "file:///C:/a b",
      "file:///c%3A/a%20b",
      "file://localhost/c:/a b",
    ]) {
      expect(parseUri(spelling)).toBe("file:///c:/a%20b");
    }
    expect(plainFileUrl("C:\\a b#1.ts")).toBe("file:///c:/a b#1.ts");
    fc.assert(fc.property(windowsPaths, (path) => parseUri(fileUri(path)) === fileUri(path)));
  });
});

describe("paths", () => {
  it("of POSIX are left as they are", () => {
    for (const path of ["/home/ada/a.ts", "/", "/a\\b"]) {
      expect(posixSpelling(path)).toBe(path);
      expect(wslSpelling(path)).toBe(path);
      expect(filePath(fileUri(path))).toBe(path);
    }
  });

  it("are absolute on their own machine", () => {
    for (const path of ["/", "C:\\", "c:/x", "\\\\server\\share"])
      expect(isAbsolutePath(path)).toBe(true);
    for (const path of ["", "a", "C:", "C:a", "\\a", "\\\\server"])
      expect(isAbsolutePath(path)).toBe(false);
  });

  it("lie within a folder by whole names, on Windows whatever their case", () => {
    expect(isWithin("/a/b", "/a")).toBe(true);
    expect(isWithin("/a", "/a")).toBe(true);
    expect(isWithin("/a", "/a/")).toBe(true);
    expect(isWithin("/a/b", "/")).toBe(true);
    expect(isWithin("/ab", "/a")).toBe(false);
    expect(isWithin("/A/b", "/a")).toBe(false);
    expect(isWithin("/", "/a")).toBe(false);
    expect(isWithin("c:\\Users\\Ada\\x", "C:/users/ada")).toBe(true);
    expect(isWithin("C:\\Users\\Adam", "C:\\Users\\Ada")).toBe(false);
    expect(isWithin("\\\\Server\\share\\x", "\\\\server\\share")).toBe(true);
  });

  it("end with their name", () => {
    expect(baseName("/a/b.ts")).toBe("b.ts");
    expect(baseName("/a/b\\c.ts")).toBe("b\\c.ts");
    expect(baseName("C:\\a\\b.ts")).toBe("b.ts");
    expect(baseName("b.ts")).toBe("b.ts");
  });
});

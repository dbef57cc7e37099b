import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultPairs, folderPair, PathMap } from "./path-map.js";

describe("which folder is which", () => {
  const map = new PathMap([
    { local: "/home/ada", remote: "/h" },
    { local: "/home/ada/project/", remote: "/srv" },
  ]);

  it("the longest that fits decides, in both directions", () => {
    expect(map.toRemote("/home/ada/project/src/a.ts")).toBe("/srv/src/a.ts");
    expect(map.toRemote("/home/ada/project")).toBe("/srv");
    expect(map.toRemote("/home/ada/projects/a.ts")).toBe("/h/projects/a.ts");
    expect(map.toLocal("/srv/src/a.ts")).toBe("/home/ada/project/src/a.ts");
    expect(map.toLocal("/h/.bashrc")).toBe("/home/ada/.bashrc");
  });

  it("what lies outside is in none, whatever way it is spelled", () => {
    for (const path of [
      "/etc/passwd",
      "/srv-old/a",
      "/srv/../etc/passwd",
      "/srv/./x/../../etc/passwd",
      "//srv/../etc",
      "/",
      "C:\\srv",
    ])
      expect(map.toLocal(path), path).toBeNull();
    expect(map.toLocal("/srv/x/../a.ts")).toBe("/home/ada/project/a.ts");
  });

  it("a whole disk can be mapped", () => {
    const root = new PathMap([{ local: "/", remote: "/host" }]);
    expect(root.toRemote("/etc/hosts")).toBe("/host/etc/hosts");
    expect(root.toRemote("/")).toBe("/host");
    expect(root.toLocal("/host")).toBe("/");
    expect(root.toLocal("/host/etc/hosts")).toBe("/etc/hosts");
  });

  it("Windows and WSL, in every spelling that editors have", () => {
    const wsl = new PathMap(defaultPairs(["C:\\Users\\Ada\\project", "/home/ada/other"]));
    for (const path of [
      "C:\\Users\\Ada\\project\\src\\a.ts",
      "c:\\users\\ada\\project\\src\\a.ts",
      "c:/Users/Ada/project/src/a.ts",
      "/c/Users/Ada/project/src/a.ts",
    ])
      expect(wsl.toRemote(path)).toBe("/mnt/c/Users/Ada/project/src/a.ts");
    expect(wsl.toLocal("/mnt/c/Users/Ada/project/src/a.ts")).toBe(
      "C:\\Users\\Ada\\project\\src\\a.ts",
    );
    expect(wsl.toLocal("/mnt/c/Users/Ada/project")).toBe("C:\\Users\\Ada\\project");
    expect(wsl.toRemote("/home/ada/other/a")).toBe("/home/ada/other/a");
    const drive = new PathMap([{ local: "C:\\", remote: "/mnt/c" }]);
    expect(drive.toRemote("C:\\a\\b")).toBe("/mnt/c/a/b");
    expect(drive.toLocal("/mnt/c")).toBe("C:\\");
    expect(drive.toLocal("/mnt/c/a")).toBe("C:\\a");
  });

  it("a backslash, which is a letter on one side, is no way out on the other", () => {
    const wsl = new PathMap([{ local: "C:\\p", remote: "/mnt/c/p" }]);
    expect(wsl.toLocal("/mnt/c/p/..\\..\\Windows\\win.ini")).toBeNull();
    expect(wsl.toLocal("/mnt/c/p/a\\b")).toBeNull();
    expect(map.toLocal("/srv/a\\")).toBe("/home/ada/project/a\\");
  });

  it("there and back is the same path, and never leaves the folder", () => {
    const one = new PathMap([{ local: "/home/ada/project", remote: "/srv" }]);
    const name = fc.stringMatching(/^[^/\0]{1,8}$/);
    fc.assert(
      fc.property(fc.array(fc.oneof(name, fc.constant("..")), { maxLength: 6 }), (names) => {
        const local = one.toLocal(`/srv/${names.join("/")}`);
        if (local === null) return;
        expect(`${local}/`.startsWith("/home/ada/project/")).toBe(true);
        expect(one.toLocal(one.toRemote(local) ?? "")).toBe(local);
      }),
    );
  });
});

describe("--map LOCAL=REMOTE", () => {
  it("takes two absolute paths", () => {
    expect(folderPair("/a=/b")).toEqual({ local: "/a", remote: "/b" });
    expect(folderPair("/a=x=/b")).toEqual({ local: "/a=x", remote: "/b" });
    expect(folderPair("C:\\a=/mnt/c/a")).toEqual({ local: "C:\\a", remote: "/mnt/c/a" });
    for (const given of ["/a", "a=/b", "/a=b", "=", "/a="])
      expect(() => folderPair(given), given).toThrow("two absolute paths");
  });
});

import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { candidate, rank } from "../../src/files/fuzzy.js";
import { Scene } from "./scene.js";

const best = (query: string, ...paths: string[]) =>
  rank(paths.map(candidate), query, 20).map(({ candidate: { path } }) => path);

describe("ranking", () => {
  it("prefers the file's own name to its folders", () => {
    expect(best("app", "app/other.ts", "src/app.ts")).toEqual(["src/app.ts", "app/other.ts"]);
  });
  it("prefers letters side by side, then starts of words", () => {
    expect(best("store", "s-t-o-r-e.ts", "restore.ts", "store.ts")).toEqual([
      "store.ts",
      "restore.ts",
      "s-t-o-r-e.ts",
    ]);
    expect(best("fb", "fooxbar.ts", "fooBar.ts")).toEqual(["fooBar.ts", "fooxbar.ts"]);
  });
  it("prefers the shorter of two that are equally good", () => {
    expect(best("a.ts", "very/long/way/a.ts", "src/a.ts")).toEqual([
      "src/a.ts",
      "very/long/way/a.ts",
    ]);
  });
  it("takes words in any order, and a path with slashes", () => {
    expect(best("ts store", "src/store.ts", "src/store.md")).toEqual(["src/store.ts"]);
    expect(best("st/st", "src/state/store.ts", "src/store.ts")[0]).toBe("src/state/store.ts");
    expect(best("SRC\\Store", "src/store.ts")).toEqual(["src/store.ts"]);
  });
  it("leaves out what lacks a letter", () => {
    expect(best("xyz", "a.ts", "xy.ts")).toEqual([]);
    expect(best("öl", "öl.txt", "ol.txt")).toEqual(["öl.txt"]);
  });
  it("says which letters it means", () => {
    const [found] = rank([candidate("src/fooBar.ts")], "fb", 1);
    expect(found!.matched).toEqual([4, 7]);
    const [whole] = rank([candidate("store/restore.ts")], "store", 1);
    expect(whole!.matched).toEqual([8, 9, 10, 11, 12]);
  });
});

describe("opening by name", () => {
  it("finds hidden files and not those that git ignores", async () => {
    const scene = await Scene.open({
      git: true,
      files: { ".env.sample": "", "src/a.ts": "", "dist/a.ts": "", ".gitignore": "dist\n" },
    });
    await scene.start();
    expect(await scene.find("a.ts")).toEqual(["src/a.ts"]);
    expect(await scene.find("env")).toEqual([".env.sample"]);
    expect(await scene.find("HEAD")).toEqual([]);
  });

  it("honours .gitignore without a repository", async () => {
    const scene = await Scene.open({
      files: { "a.ts": "", "dist/a.ts": "", ".gitignore": "dist\n" },
    });
    await scene.start();
    expect(await scene.find("a.ts")).toEqual(["a.ts"]);
  });

  it("shows the open files first when nothing is asked", async () => {
    const scene = await Scene.open({ files: { a: "", b: "", "c/d": "" } });
    await scene.start();
    scene.store.set("tabs", [{ uri: scene.uri("c/d"), preview: false }]);
    expect((await scene.find("", 2))[0]).toBe("c/d");
    expect(await scene.find("", 10)).toHaveLength(3);
    expect(await scene.find("", 0)).toEqual([]);
  });

  it("follows files and folders that come, move and go", async () => {
    const scene = await Scene.open({
      git: true,
      files: { "src/old.ts": "", ".gitignore": "*.log" },
    });
    await scene.start();
    await scene.write("src/fresh.ts");
    await scene.until(async () => (await scene.find("fresh"))[0] === "src/fresh.ts");
    await rename(join(scene.folder, "src"), join(scene.folder, "lib"));
    await scene.until(async () => (await scene.find("fresh")).join() === "lib/fresh.ts");
    await mkdir(join(scene.folder, "more"));
    await scene.write("more/deep/fresher.ts");
    await scene.until(async () => (await scene.find("fresher")).length === 1);
    await rm(join(scene.folder, "lib"), { recursive: true });
    await scene.until(async () => (await scene.find("old")).length === 0);
    await scene.write("fresh.log");
    await scene.write("last.ts");
    await scene.until(async () => (await scene.find("last")).length === 1);
    await scene.until(async () => !(await scene.find("fresh")).includes("fresh.log"));
  });

  it("tells the folders of a workspace apart", async () => {
    const scene = await Scene.open({ folders: ["x/lib", "y/lib", "app"] });
    await scene.write("a.ts");
    await scene.write("../../y/lib/a.ts");
    await scene.write("../../app/a.ts");
    await scene.start();
    const found = await scene.files.handlers["files.find"](
      { query: "a.ts", limit: 9 },
      scene.window,
    );
    expect(found.map(({ path, uri }) => [path, uri]).sort()).toEqual([
      ["app/a.ts", scene.uri("../../app/a.ts")],
      ["lib (2)/a.ts", scene.uri("../../y/lib/a.ts")],
      ["lib/a.ts", scene.uri("a.ts")],
    ]);
  });
});

import { access, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Uri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import type { SearchEnd, SearchFile, SearchQuery } from "../../src/contract/index.js";
import { Fence } from "../../src/files/fence.js";
import { Searches } from "../../src/files/searches.js";
import { Scene } from "./scene.js";

const query = (text: string, more: Partial<SearchQuery> = {}): SearchQuery => ({
  text,
  regex: false,
  caseSensitive: false,
  wholeWord: false,
  include: "",
  exclude: "",
  ...more,
});

interface Found extends SearchEnd {
  readonly found: readonly SearchFile[];
  /** "path:line: text with [matches] marked". */
  readonly shown: readonly string[];
}

async function search(at: Scene, asked: SearchQuery, id = "s"): Promise<Found> {
  at.heard.length = 0;
  const end = await at.files.handlers["search.run"]({ id, query: asked }, at.window);
  const found = at.heard.flatMap((heard) =>
    heard.name === "search.results" && heard.event.id === id ? heard.event.files : [],
  );
  const shown = found.flatMap(({ path, lines }) =>
    lines.map(({ line, text, matches }) => {
      let marked = text;
      for (const { from, to } of [...matches].reverse()) {
        marked = `${marked.slice(0, from)}[${marked.slice(from, to)}]${marked.slice(to)}`;
      }
      return `${path}:${line}: ${marked}`;
    }),
  );
  return { ...end, found, shown: shown.sort() };
}

describe("searching", () => {
  it("finds lines in all files but ignored and binary ones", async () => {
    const at = await Scene.open({
      git: true,
      files: {
        "a.ts": "one\nneedle here\n",
        ".hidden": "Needle",
        "dist/b.ts": "needle",
        ".gitignore": "dist",
        binary: "needle\0needle",
      },
    });
    await at.start();
    const { shown, files, matches, cut } = await search(at, query("needle"));
    expect(shown).toEqual([".hidden:0: [Needle]", "a.ts:1: [needle] here"]);
    expect({ files, matches, cut }).toEqual({ files: 2, matches: 2, cut: false });
  });

  it("heeds case, words and regular expressions", async () => {
    const at = await Scene.open({ files: { a: "Foo foo food f.o\n" } });
    await at.start();
    const of = async (text: string, more: Partial<SearchQuery>) =>
      (await search(at, query(text, more))).shown;
    expect(await of("foo", { caseSensitive: true })).toEqual(["a:0: Foo [foo] [foo]d f.o"]);
    expect(await of("foo", { wholeWord: true })).toEqual(["a:0: [Foo] [foo] food f.o"]);
    expect(await of("f.o", {})).toEqual(["a:0: Foo foo food [f.o]"]);
    expect(await of("f(o+)d", { regex: true })).toEqual(["a:0: Foo foo [food] f.o"]);
  });

  it("counts columns in UTF-16", async () => {
    const at = await Scene.open({ files: { a: "äö😀x needle 😀needle\r\n", b: "\ufeffneedle" } });
    await at.start();
    const { shown, found } = await search(at, query("needle"));
    expect(shown).toEqual(["a:0: äö😀x [needle] 😀[needle]", "b:0: [needle]"]);
    const a = found.find(({ path }) => path === "a");
    expect(a!.lines[0]!.matches).toEqual([
      { from: 6, to: 12 },
      { from: 15, to: 21 },
    ]);
  });

  it("finds text over several lines, however they end", async () => {
    const at = await Scene.open({ files: { a: "one\r\ntwo\r\n", b: "x\none\ntwo\none\ntwo" } });
    await at.start();
    const shown = ["a:0: [one]", "b:1: [one]", "b:3: [one]"];
    expect((await search(at, query("one\ntwo"))).shown).toEqual(shown);
    expect((await search(at, query("one\\ntwo", { regex: true }))).shown).toEqual(shown);
    expect((await search(at, query("e$", { regex: true }))).shown).toHaveLength(3);
  });

  it("finds text in UTF-16 files", async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("ä needle", "utf16le")]);
    const at = await Scene.open({ files: { a: utf16 } });
    await at.start();
    expect((await search(at, query("needle"))).shown).toEqual(["a:0: ä [needle]"]);
  });

  it("shows a long line in parts around its matches, and where they are", async () => {
    const line = `${"x".repeat(5_000)}needle${"y".repeat(5_000)}needle`;
    const at = await Scene.open({ files: { a: line } });
    await at.start();
    const { found } = await search(at, query("needle"));
    const lines = found[0]!.lines;
    expect(lines).toHaveLength(2);
    for (const { text, offset, matches } of lines) {
      expect(text.length).toBeLessThanOrEqual(400);
      const [match] = matches;
      expect(line.slice(offset! + match!.from, offset! + match!.to)).toBe("needle");
    }
  });

  it("heeds filters for files, without searching what is ignored", async () => {
    const files = {
      "src/a.ts": "x",
      "src/a.css": "x",
      "lib/src/b.ts": "x",
      "out.ts": "x",
      ".gitignore": "out.ts",
    };
    const at = await Scene.open({ git: true, files });
    await at.start();
    const paths = async (include: string, exclude = "") =>
      (await search(at, query("x", { include, exclude }))).found.map(({ path }) => path).sort();
    expect(await paths("*.ts")).toEqual(["lib/src/b.ts", "src/a.ts"]);
    expect(await paths("src")).toEqual(["lib/src/b.ts", "src/a.css", "src/a.ts"]);
    expect(await paths("./src")).toEqual(["src/a.css", "src/a.ts"]);
    expect(await paths("*.{ts,css}", "lib, *.css")).toEqual(["src/a.ts"]);
    await expect(paths("*.{ts")).rejects.toThrow("A file filter is not valid");
  });

  it("searches the live text of a document with unsaved edits", async () => {
    const at = await Scene.open({ files: { "a.ts": "old needle", "b.ts": "needle" } });
    await at.start();
    at.edit(at.uri("a.ts"), "one\ntwo needle\n");
    at.edit("untitled:Untitled-1" as Uri, "needle", "Untitled-1");
    const shown = ["Untitled-1:0: [needle]", "a.ts:1: two [needle]", "b.ts:0: [needle]"];
    expect((await search(at, query("needle"))).shown).toEqual(shown);
    const some = await search(at, query("needle", { include: "*.ts", exclude: "b.ts" }));
    expect(some.shown).toEqual(["a.ts:1: two [needle]"]);
  });

  it("follows no link out of the workspace", async () => {
    const at = await Scene.open({ folders: ["project", "project2"] });
    await at.write("../outside/secret", "needle");
    await symlink(join(at.root, "outside"), join(at.folder, "out"));
    await symlink(join(at.root, "outside/secret"), join(at.folder, "file"));
    await at.start();
    expect((await search(at, query("needle"))).shown).toEqual([]);
  });
});

describe("a query that means harm", () => {
  it("is never an option of ripgrep", async () => {
    const at = await Scene.open({ files: { a: "--pre=touch x" } });
    const trap = join(at.root, "trap");
    await at.write("run.sh", `#!/bin/sh\ntouch ${trap}\n`);
    await at.start();
    expect((await search(at, query("--pre=touch"))).shown).toEqual(["a:0: [--pre=touch] x"]);
    await search(at, query(`--pre=${join(at.folder, "run.sh")}`, { regex: true }));
    await search(at, query("x", { include: `--pre=${join(at.folder, "run.sh")}` }));
    await search(at, query("x", { exclude: "-e, --files" }));
    await expect(access(trap)).rejects.toThrow();
  });

  it("gets a sentence if it is not valid", async () => {
    const at = await Scene.open({ files: { a: "x" } });
    await at.start();
    const failing = (text: string) => search(at, query(text, { regex: true }));
    await expect(failing("(x")).rejects.toThrow("The pattern is not valid: unclosed group.");
    await expect(failing("(?<=a)x")).rejects.toThrow("The pattern is not valid: look-around");
    await expect(failing("((a{1000}){1000}){1000}")).rejects.toThrow("The pattern is");
    await expect(search(at, query("a\0"))).rejects.toThrow("NUL");
  });

  it("takes no long time, however it repeats", async () => {
    const at = await Scene.open({ files: { a: "a".repeat(100_000) } });
    await at.start();
    expect((await search(at, query("(a+)+$x", { regex: true }))).matches).toBe(0);
    expect((await search(at, query("(.*)*(.*)*y", { regex: true }))).matches).toBe(0);
  });

  it("is cut after ten thousand matches", async () => {
    const at = await Scene.open({ files: { a: "x".repeat(9_000), b: "x\n".repeat(9_000) } });
    await at.start();
    const { matches, cut, found } = await search(at, query("x"));
    expect({ matches, cut }).toEqual({ matches: 10_000, cut: true });
    const shown = found.flatMap(({ lines }) => lines.flatMap((line) => line.matches));
    expect(shown).toHaveLength(10_000);
  });
});

describe("ending a search", () => {
  /** Enough to be still going on when it is stopped. */
  const large = () =>
    Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `f${index}`,
        `${"abcdefgh ".repeat(40)}\n`.repeat(2_000),
      ]),
    );

  it("answers with what was found when it is stopped, replaced, or its window is gone", async () => {
    const at = await Scene.open({ files: large() });
    await at.start();
    const hard = query("([a-z]+ ?){30,60}zz", { regex: true });
    const run = (id: string) => at.files.handlers["search.run"]({ id, query: hard }, at.window);
    const first = run("s");
    const second = run("s");
    expect((await first).cut).toBe(true);
    await at.files.handlers["search.stop"]({ id: "s" }, at.window);
    expect((await second).cut).toBe(true);
    const third = run("t");
    at.closeWindow();
    expect((await third).cut).toBe(true);
  });

  it("is cut when it takes too long", async () => {
    const at = await Scene.open({ files: large() });
    await at.start();
    const searches = new Searches({
      folders: at.folders,
      fence: new Fence(at.folders),
      store: at.store,
      documents: { get: () => null },
      isIgnored: () => false,
      longestMs: 1,
    });
    const hard = query("([a-z]+ ?){30,60}zz", { regex: true });
    expect((await searches.run("s", hard, at.window)).cut).toBe(true);
  });
});

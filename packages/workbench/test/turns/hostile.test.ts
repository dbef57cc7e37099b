import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { DirectScene } from "./direct-scene.js";
import { commitAll } from "./scene.js";

const put = (folder: string, files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
};
/** All that is kept of the workspace. */
const kept = (scene: DirectScene): readonly string[] =>
  readdirSync(scene.stateDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
const read = (scene: DirectScene, name: string) => readFileSync(scene.path(name), "utf8");

describe("a hostile workspace", () => {
  const NAMES = [
    "a b.txt",
    "-rf",
    ":(exclude)x",
    "new\nline",
    'quo"te',
    "back\\slash",
    "\u202etxt.exe",
    "ünï/çödé",
    "*",
  ];
  it.each([true, false])("may have the strangest names (git: %s)", async (git) => {
    await using scene = await DirectScene.open((folder) => {
      put(folder, Object.fromEntries(NAMES.map((name) => [name, "before\n"])));
      if (git) commitAll(folder);
    });
    await scene.prompt();
    put(scene.root, Object.fromEntries(NAMES.map((name) => [name, "after\n"])));
    put(scene.root, { "new one\n": "new\n" });
    const files = await scene.changed(...NAMES, "new one\n");
    expect(files).toHaveLength(NAMES.length + 1);
    // Safe to show: nothing in them turns the text around or breaks the line.
    expect(files.every(({ path }) => !/[\n\u202e]/.test(path))).toBe(true);
    expect(await scene.decide("undone")).toEqual({ refused: [] });
    for (const name of NAMES) expect(read(scene, name)).toBe("before\n");
    expect(existsSync(scene.path("new one\n"))).toBe(false);
  });

  it("starts no program that its repository names", async () => {
    let mark = "";
    await using scene = await DirectScene.open((folder) => {
      mark = join(folder, "..", "mark");
      put(folder, { "a.txt": "before\n", ".gitattributes": "* filter=evil diff=evil\n" });
      commitAll(folder);
      const git = (...args: string[]) => execFileSync("git", ["config", ...args], { cwd: folder });
      for (const name of ["clean", "smudge", "process"])
        git(`filter.evil.${name}`, `touch ${mark}`);
      git("diff.evil.textconv", `touch ${mark}`);
      git("core.fsmonitor", `touch ${mark}`);
      git("core.hooksPath", join(folder, "hooks"));
    });
    await scene.prompt();
    put(scene.root, { "a.txt": "after\n" });
    await scene.changed("a.txt");
    await scene.decide("undone");
    await scene.prompt();
    expect(existsSync(mark)).toBe(false);
    expect(["before\n", "after\n"]).toContain(read(scene, "a.txt"));
  });

  it("may put a link in the place of a file: what it leads to is neither read nor written", async () => {
    await using scene = await DirectScene.open((folder) => put(folder, { "a.txt": "before\n" }));
    const secret = join(scene.root, "..", "secret.txt");
    writeFileSync(secret, "after\n");
    await scene.prompt();
    put(scene.root, { "a.txt": "after\n" });
    const [file] = await scene.changed("a.txt");
    rmSync(scene.path("a.txt"));
    symlinkSync(secret, scene.path("a.txt"));
    // Before anybody has heard of the link.
    const { refused } = await scene.decide("undone", file?.id);
    expect(refused).toHaveLength(1);
    expect(readFileSync(secret, "utf8")).toBe("after\n");
    const [link] = await scene.changed("a.txt");
    expect(link).toMatchObject({ kind: "edited", content: "link" });
    expect(await scene.decide("undone", link?.id)).toEqual({ refused: [] });
    expect(read(scene, "a.txt")).toBe("before\n");
    expect(readFileSync(secret, "utf8")).toBe("after\n");
  });

  it("may put a link in the place of a folder: what is below is gone, and not what the link leads to", async () => {
    await using scene = await DirectScene.open((folder) => {
      put(folder, { "d/a.txt": "before\n", "d/deep/b.txt": "before\n" });
      put(join(folder, "..", "outside"), { "a.txt": "secret\n", "deep/b.txt": "secret\n" });
      commitAll(folder);
    });
    await scene.prompt();
    rmSync(scene.path("d"), { recursive: true });
    symlinkSync("../outside", scene.path("d"));
    const files = await scene.changed("d", "d/a.txt", "d/deep/b.txt");
    expect(files.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      "created d",
      "deleted d/a.txt",
      "deleted d/deep/b.txt",
    ]);
    const outside = () => readFileSync(join(scene.root, "..", "outside", "a.txt"), "utf8");
    expect(await scene.decide("undone")).toEqual({ refused: [] });
    expect(read(scene, "d/deep/b.txt")).toBe("before\n");
    expect(await scene.act("undo")).toEqual({ refused: [] });
    expect(readlinkSync(scene.path("d"))).toBe("../outside");
    expect(outside()).toBe("secret\n");
    expect(kept(scene).filter((text) => text.includes("secret"))).toEqual([]);
  });

  it("may have an index with paths that lead up: nothing there is looked at, nor copied", async () => {
    await using scene = await DirectScene.open((folder) => {
      put(folder, { "z.txt": "before\n", "up/secret.txt": "inside\n" });
      put(join(folder, ".."), { "secret.txt": "a well-kept secret\n" });
      commitAll(folder);
      // Git takes only an index whose names are in order.
      const index = join(folder, ".git", "index");
      const entries = readFileSync(index).subarray(0, -20).toString("latin1");
      const forged = Buffer.from(entries.replace("up/secret.txt", "../secret.txt"), "latin1");
      writeFileSync(index, Buffer.concat([forged, createHash("sha1").update(forged).digest()]));
    });
    await scene.prompt();
    put(scene.root, { "z.txt": "after\n", "../secret.txt": "another secret\n" });
    const files = await scene.changed("z.txt");
    expect(files.map(({ path }) => path)).toEqual(["z.txt"]);
    expect(kept(scene).filter((text) => text.includes("secret\n"))).toEqual([]);
  });

  it("may have pipes, folders in the place of files, and files that vanish: nothing waits for them", async () => {
    await using scene = await DirectScene.open((folder) =>
      put(folder, { "a.txt": "a\n", "b.txt": "b\n", "c/d.txt": "d\n" }),
    );
    await scene.prompt();
    for (const name of ["a.txt", "b.txt", "c/d.txt"]) rmSync(scene.path(name));
    execFileSync("mkfifo", [scene.path("a.txt")]);
    mkdirSync(scene.path("b.txt"));
    put(scene.root, { "gone.txt": "x\n" });
    rmSync(scene.path("gone.txt"));
    const files = await scene.changed("a.txt", "b.txt", "c", "gone.txt");
    expect(files.map(({ path, kind }) => [path, kind])).toEqual([
      ["a.txt", "deleted"],
      ["b.txt", "deleted"],
      ["c/d.txt", "deleted"],
    ]);
    const { refused } = await scene.decide("undone");
    expect(refused).toHaveLength(2);
    expect(read(scene, "c/d.txt")).toBe("d\n");
  });

  it("may have a file in the place of a folder: what is told of below it is nothing any more", async () => {
    await using scene = await DirectScene.open((folder) =>
      put(folder, { "a.txt": "a\n", "c/d.txt": "d\n" }),
    );
    await scene.prompt();
    rmSync(scene.path("c"), { recursive: true });
    put(scene.root, { c: "no folder any more\n", "a.txt": "A\n" });
    await scene.changed("c/d.txt", "c/never.txt", "c");
    // The watcher tells of things twice.
    const files = await scene.changed("c/d.txt", "c/e/f.txt", "a.txt");
    expect(files.map(({ path, kind }) => [path, kind])).toEqual([
      ["a.txt", "edited"],
      ["c", "created"],
      ["c/d.txt", "deleted"],
    ]);
    scene.turns.noticeDisk([scene.path("c/e/f.txt")]);
    await scene.prompt();
    expect(await scene.files()).toEqual([]);
  });

  it.each([true, false])(
    "may have a folder in the place of a file, which alone is told of (git: %s)",
    async (git) => {
      await using scene = await DirectScene.open((folder) => {
        put(folder, { file: "file\n" });
        if (git) commitAll(folder);
      });
      await scene.prompt();
      rmSync(scene.path("file"));
      put(scene.root, { "file/deep/new.txt": "new\n" });
      const files = await scene.changed("file");
      expect(files.map(({ path, kind }) => [path, kind])).toEqual([
        ["file", "deleted"],
        ["file/deep/new.txt", "created"],
      ]);
    },
  );

  it("may change more files than are shown: they are counted, and the rest works", async () => {
    await using scene = await DirectScene.open(
      (folder) => put(folder, { ".gitignore": "dist\n" }),
      {
        mostChanges: 10,
        mostCopies: 20,
      },
    );
    await scene.prompt();
    const many = Array.from({ length: 50 }, (_, index) => `many/${index}.txt`);
    put(scene.root, Object.fromEntries(many.map((name) => [name, `${name}\n`])));
    put(scene.root, Object.fromEntries(many.map((name) => [`dist/${name}`, `${name}\n`])));
    const files = await scene.changed("many", "dist");
    expect(files).toHaveLength(10);
    expect(scene.running).toMatchObject({ files: 10, cut: 40 });
    expect(await scene.decide("undone")).toEqual({
      refused: ["40 more files have changed than are shown: they stay as they are."],
    });
    expect(readdirSync(scene.path("many"))).toHaveLength(40);
  });
});

it("a file with tens of thousands of changes is undone as a whole in a moment", async () => {
  const text = (change: string) =>
    Array.from({ length: 200_000 }, (_, at) => `${at % 10 === 0 ? change : ""} ${at}\n`).join("");
  await using scene = await DirectScene.open((folder) => put(folder, { "a.txt": text("before") }));
  await scene.prompt();
  put(scene.root, { "a.txt": text("after") });
  const [file] = await scene.changed("a.txt");
  expect(file).toMatchObject({ added: 20_000, removed: 20_000 });
  // To look for each of them among all others takes longer than a test may.
  expect(await scene.decide("undone")).toEqual({ refused: [] });
  expect(read(scene, "a.txt")).toBe(text("before"));
});

describe("copies", () => {
  it("have a limit for all of them: the oldest turns go first", async () => {
    const kilobytes = (letter: string) => `${letter.repeat(1_000)}\n`;
    await using scene = await DirectScene.open((folder) => put(folder, { "a.txt": "a\n" }), {
      most: 10_000,
    });
    const turns: string[] = [];
    for (const letter of "bcdefghij") {
      turns.push((await scene.prompt()).id);
      put(scene.root, { "a.txt": kilobytes(letter) });
      await scene.changed("a.txt");
    }
    const left = turns.filter((id) => scene.store.state.turns[id]);
    expect(left.length).toBeGreaterThan(2);
    expect(left.length).toBeLessThan(turns.length);
    expect(left).toEqual(turns.slice(-left.length));
    const sizes = readdirSync(join(scene.stateDir, "turns", "copies")).length * 1_001;
    expect(sizes).toBeLessThanOrEqual(10_000);
    expect(await scene.decide("undone")).toEqual({ refused: [] });
    expect(read(scene, "a.txt")).toBe(kilobytes("i"));
  });

  it("that cannot be made are said so, and nothing else breaks", async () => {
    await using scene = await DirectScene.open((folder) =>
      put(folder, { "a.txt": "a\n", "b.txt": "b\n" }),
    );
    await scene.prompt();
    const store = join(scene.stateDir, "turns", "copies");
    put(scene.root, { "a.txt": "A\n" });
    await scene.changed("a.txt");
    rmSync(store, { recursive: true });
    writeFileSync(store, "no folder");
    put(scene.root, { "b.txt": "B\n" });
    await scene.changed("b.txt");
    expect(scene.store.state.notices.turns?.text).toMatch(/cannot keep copies/);
    await scene.prompt();
    put(scene.root, { "b.txt": "BB\n" });
    const [file] = await scene.changed("b.txt");
    expect(file).toMatchObject({ path: "b.txt", content: "unknown" });
    expect(file?.lost).toMatch(/No copy of it/);
    const { refused } = await scene.decide("undone");
    expect(refused[0]).toMatch(/No copy of it/);
    expect(read(scene, "b.txt")).toBe("BB\n");
    rmSync(store);
    mkdirSync(store);
  });
});

describe("the history", () => {
  it("skips what a crash has left half-written, and goes on with the turn that ran", async () => {
    let scene = await DirectScene.open((folder) => put(folder, { "a.txt": "a\n", "b.txt": "b\n" }));
    const first = await scene.prompt();
    put(scene.root, { "a.txt": "A\n" });
    await scene.changed("a.txt");
    const second = await scene.prompt();
    put(scene.root, { "b.txt": "B\n" });
    const [file] = await scene.changed("b.txt");
    await scene.decide("kept", file?.id);
    const top = await scene.close();
    const records = join(top, "state", "turns", "records");
    const [name = ""] = readdirSync(records);
    const whole = readFileSync(join(records, name), "utf8");
    writeFileSync(join(records, "0000.json"), whole.slice(0, whole.length / 2));
    writeFileSync(join(records, `${name}.draft`), whole);
    writeFileSync(join(records, "1111.json"), JSON.stringify({ format: 99 }));
    scene = await DirectScene.at(top);
    try {
      expect(Object.keys(scene.store.state.turns).sort()).toEqual([first.id, second.id].sort());
      expect(scene.running.id).toBe(second.id);
      expect(await scene.files()).toMatchObject([{ path: "b.txt", state: "kept" }]);
      expect(readdirSync(records)).toHaveLength(2);
      expect(await scene.decide("undone")).toEqual({ refused: [] });
      expect(read(scene, "b.txt")).toBe("b\n");
      expect(await scene.decide("undone", undefined, undefined, first.id)).toEqual({ refused: [] });
      expect(read(scene, "a.txt")).toBe("a\n");
    } finally {
      await scene[Symbol.asyncDispose]();
    }
  });
});

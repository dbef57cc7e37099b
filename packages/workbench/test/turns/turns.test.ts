import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { appendFile, chmod, mkdir, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { after, before, commitAll, TurnScene } from "./scene.js";

/** All that is in a folder, without git's own; folders end with a slash. */
const treeOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name) + (entry.isDirectory() ? "/" : ""))
    .map((path) => path.slice(folder.length + 1))
    .filter((path) => !path.startsWith(".git/"))
    .sort();

describe.each([{ git: true }, { git: false }])("a turn, with git: $git", ({ git }) => {
  it("shows what has changed since the prompt, live, and undoes one change of it", async () => {
    await using scene = await TurnScene.open({ "src/a.txt": before, "b.txt": "bee\n" }, { git });
    await scene.prompt();
    await writeFile(scene.bench.path("src/a.txt"), after);
    const file = await scene.file("edited");
    expect(file).toMatchObject({ path: "src/a.txt", added: 3, removed: 3, state: "pending" });
    const { review } = await scene.page.call("turn.attach", {
      turn: scene.running.id,
      file: file.id,
    });
    expect(review).toMatchObject({ base: before, shown: { text: after } });
    const hunk = review?.hunks?.[1]?.id;
    const turn = scene.running.id;
    const told = await scene.page.call("turn.decide", {
      turn,
      file: file.id,
      hunk,
      decision: "undone",
    });
    expect(told.refused).toEqual([]);
    expect(scene.bytes("src/a.txt").toString()).toBe(after.replace("FOUR", "four"));
    await scene.page.call("turn.undo", { turn });
    expect(scene.bytes("src/a.txt").toString()).toBe(after);
    await scene.page.call("turn.redo", { turn });
    expect(scene.bytes("src/a.txt").toString()).toBe(after.replace("FOUR", "four"));
    expect(scene.bench.faults).toEqual([]);
  });

  it("undoes all kinds of changes as a whole, and takes that back", async () => {
    await using scene = await TurnScene.open(
      {
        "edited.txt": before,
        "gone.txt": "gone\n",
        "old.txt": "a\nb\nc\nd\n",
        "run.sh": "#!/bin/sh\n",
      },
      {
        git,
        prepare: async (folder) => {
          await writeFile(join(folder, "picture.png"), Buffer.from([137, 80, 0, 1, 2, 3]));
          await symlink("edited.txt", join(folder, "link"));
        },
      },
    );
    await scene.prompt();
    const path = (name: string) => scene.bench.path(name);
    await writeFile(path("edited.txt"), after);
    await unlink(path("gone.txt"));
    await scene.bench.write("new/made.txt", "made\n");
    await rename(path("old.txt"), path("renamed.txt"));
    await chmod(path("run.sh"), 0o755);
    await writeFile(path("picture.png"), Buffer.from([137, 80, 0, 9, 9]));
    await rm(path("link"));
    await symlink("gone.txt", path("link"));
    const files = await scene.files((all) => all.length === 7);
    expect(files.map(({ path: name, kind, content }) => [name, kind, content])).toEqual([
      ["edited.txt", "edited", "text"],
      ["gone.txt", "deleted", "text"],
      ["link", "edited", "link"],
      ["new/made.txt", "created", "text"],
      ["picture.png", "edited", "binary"],
      ["renamed.txt", "renamed", "text"],
      ["run.sh", "mode", "text"],
    ]);
    const turn = scene.running.id;
    expect(await scene.page.call("turn.decide", { turn, decision: "undone" })).toEqual({
      refused: [],
    });
    expect(scene.bytes("edited.txt").toString()).toBe(before);
    expect(scene.bytes("gone.txt").toString()).toBe("gone\n");
    expect(existsSync(path("new/made.txt"))).toBe(false);
    expect(scene.bytes("old.txt").toString()).toBe("a\nb\nc\nd\n");
    expect(existsSync(path("renamed.txt"))).toBe(false);
    expect(statSync(path("run.sh")).mode & 0o777).toBe(0o644);
    expect([...scene.bytes("picture.png")]).toEqual([137, 80, 0, 1, 2, 3]);
    expect(readlinkSync(path("link"))).toBe("edited.txt");
    expect(await scene.page.call("turn.undo", { turn })).toEqual({ refused: [] });
    expect(scene.bytes("edited.txt").toString()).toBe(after);
    expect(existsSync(path("gone.txt"))).toBe(false);
    expect(scene.bytes("new/made.txt").toString()).toBe("made\n");
    expect(scene.bytes("renamed.txt").toString()).toBe("a\nb\nc\nd\n");
    expect(statSync(path("run.sh")).mode & 0o777).toBe(0o755);
    expect([...scene.bytes("picture.png")]).toEqual([137, 80, 0, 9, 9]);
    expect(lstatSync(path("link")).isSymbolicLink() && readlinkSync(path("link"))).toBe("gone.txt");
    expect(scene.bench.faults).toEqual([]);
  });

  it("undoes folders that became files, files that became folders, and folders that are new", async () => {
    const files = { file: "file\n", "folder/a.txt": "a\n", "folder/b.txt": "b\n" };
    await using scene = await TurnScene.open(files, {
      git,
      prepare: (folder) => mkdir(join(folder, "empty")),
    });
    const { id: turn } = await scene.prompt();
    const path = (name: string) => scene.bench.path(name);
    await unlink(path("file"));
    await scene.bench.write("file/deep/new.txt", "new\n");
    await rm(path("folder"), { recursive: true });
    await writeFile(path("folder"), "no folder any more\n");
    await scene.bench.write("empty/made.txt", "made\n");
    await scene.files((all) => all.length === 6);
    const became = treeOf(scene.bench.folder);
    const told = await scene.page.call("turn.decide", { turn, decision: "undone" });
    expect(told.refused).toEqual([]);
    expect(treeOf(scene.bench.folder)).toEqual([
      "empty/",
      "file",
      "folder/",
      "folder/a.txt",
      "folder/b.txt",
    ]);
    expect(scene.bytes("file").toString()).toBe("file\n");
    const back = await scene.page.call("turn.undo", { turn });
    expect(back.refused).toEqual([]);
    expect(treeOf(scene.bench.folder)).toEqual(became);
    expect(scene.bytes("folder").toString()).toBe("no folder any more\n");
  });

  it("ends with the next prompt, stays in the history over a restart, and can be undone there", async () => {
    await using scene = await TurnScene.open({ "a.txt": before, "b.txt": "bee\n" }, { git });
    const first = await scene.prompt();
    await writeFile(scene.bench.path("a.txt"), after);
    await scene.file("edited");
    await scene.prompt();
    await writeFile(scene.bench.path("b.txt"), "BEE\n");
    expect(await scene.file("edited")).toMatchObject({ path: "b.txt" });
    // Elsewhere in the file: what the first turn did is still there.
    await appendFile(scene.bench.path("a.txt"), "ten\n");
    await scene.files((all) => all.length === 2);
    await scene.restart();
    expect(scene.page.state.turns[first.id]).toMatchObject({ files: 1, agent: "Claude Code" });
    const file = await scene.file("edited", first.id);
    const decided = await scene.page.call("turn.decide", {
      ...{ turn: first.id, file: file.id, decision: "undone" },
    });
    expect(decided.refused).toEqual([]);
    expect(scene.bytes("a.txt").toString()).toBe(`${before}ten\n`);
    expect(await scene.files((all) => all.length === 2)).toMatchObject([
      { path: "a.txt" },
      { path: "b.txt" },
    ]);
  });

  it("does not undo in an old turn what has changed since", async () => {
    await using scene = await TurnScene.open({ "a.txt": before }, { git });
    const { id: turn } = await scene.prompt();
    await writeFile(scene.bench.path("a.txt"), after);
    const file = await scene.file("edited");
    await scene.prompt();
    const now = after.replace("FOUR", "4");
    await writeFile(scene.bench.path("a.txt"), now);
    await scene.file("edited");
    const { review } = await scene.page.call("turn.attach", { turn, file: file.id });
    expect(review?.hunks?.map(({ stuck }) => stuck !== undefined)).toEqual([false, true, false]);
    const told = await scene.page.call("turn.decide", { turn, file: file.id, decision: "undone" });
    expect(told.refused).toHaveLength(1);
    expect(scene.bytes("a.txt").toString()).toBe(before.replace("four", "4"));
  });
});

describe("the bytes", () => {
  const FORMATS: Readonly<Record<string, readonly [Buffer, Buffer]>> = {
    "CR LF": [Buffer.from("a\r\nb\r\nc\r\n"), Buffer.from("a\r\nB\r\nc\r\n")],
    "CR LF that became LF": [Buffer.from("a\r\nb\r\n"), Buffer.from("a\nb\n")],
    "mixed ends": [Buffer.from("a\r\nb\nc\rd"), Buffer.from("a\nb\r\nC\rd")],
    "a byte order mark": [Buffer.from("\ufeffa\nb\n"), Buffer.from("a\nb\n")],
    "UTF-16": [Buffer.from("\ufeffa\nb\n", "utf16le"), Buffer.from("\ufeffa\nB\n", "utf16le")],
    "another encoding": [Buffer.from("\ufeffa\n", "utf16le"), Buffer.from("a\n")],
    "bytes that are no text": [Buffer.from([0xff, 0x41, 10]), Buffer.from([0xff, 0x42, 10])],
    "no line end": [Buffer.from("a"), Buffer.from("a\n")],
    nothing: [Buffer.from(""), Buffer.from("a")],
  };
  it.each(Object.entries(FORMATS))("of %s come back as they were", async (_, [was, is]) => {
    await using scene = await TurnScene.open(
      {},
      { git: true, prepare: (folder) => writeFileSync(join(folder, "a.txt"), was) },
    );
    const { id: turn } = await scene.prompt();
    await writeFile(scene.bench.path("a.txt"), is);
    const file = await scene.file("edited");
    await scene.page.call("turn.decide", { turn, file: file.id, decision: "undone" });
    expect(scene.bytes("a.txt")).toEqual(was);
    await scene.page.call("turn.undo", { turn });
    expect(scene.bytes("a.txt")).toEqual(is);
  });

  it("come back in open documents, too, which stay as saved as they were", async () => {
    const all = Object.values(FORMATS).map(([was, is], index) => ({ name: `${index}`, was, is }));
    await using scene = await TurnScene.open(
      {},
      {
        prepare: (folder) => {
          for (const { name, was } of all) writeFileSync(join(folder, name), was);
        },
      },
    );
    const { page } = scene;
    for (const { name } of all) {
      await page.call("tab.open", { uri: scene.bench.uri(name), preview: false }).catch(() => {});
    }
    const { id: turn } = await scene.prompt();
    for (const { name, is } of all) await writeFile(scene.bench.path(name), is);
    await scene.files((files) => files.length === all.length);
    const unsaved = () =>
      Object.values(page.state.documents).filter(({ dirty, clash }) => dirty || clash !== null);
    expect(await page.call("turn.decide", { turn, decision: "undone" })).toEqual({ refused: [] });
    for (const { name, was } of all) expect(scene.bytes(name)).toEqual(was);
    expect(unsaved()).toEqual([]);
    expect(await page.call("turn.undo", { turn })).toEqual({ refused: [] });
    for (const { name, is } of all) expect(scene.bytes(name)).toEqual(is);
    expect(unsaved()).toEqual([]);
  });

  it("of a file that git keeps in another form come from a copy", async () => {
    await using scene = await TurnScene.open(
      { ".gitattributes": "*.bat text eol=crlf\n" },
      {
        prepare: (folder) => {
          writeFileSync(join(folder, "a.bat"), "one\r\ntwo\r\n");
          commitAll(folder);
          execFileSync("git", ["status"], { cwd: folder });
        },
      },
    );
    const { id: turn } = await scene.prompt();
    await writeFile(scene.bench.path("a.bat"), "ONE\r\ntwo\r\n");
    const file = await scene.file("edited");
    expect(file).toMatchObject({ lost: null, added: 1 });
    await scene.page.call("turn.decide", { turn, decision: "undone" });
    expect(scene.bytes("a.bat").toString()).toBe("one\r\ntwo\r\n");
  });
});

describe("a checkpoint", () => {
  it("is at the prompt: what changes right after it is in the new turn, what changed before is not", async () => {
    await using scene = await TurnScene.open({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
    const first = await scene.prompt();
    await writeFile(scene.bench.path("a.txt"), "A\n");
    await scene.file("edited");
    // Not awaited: the agent may write before anybody has looked.
    const next = scene.prompt();
    await writeFile(scene.bench.path("b.txt"), "B\n");
    await unlink(scene.bench.path("c.txt"));
    await next;
    const files = await scene.files((all) => all.length === 2);
    expect(files.map(({ path, kind }) => [path, kind])).toEqual([
      ["b.txt", "edited"],
      ["c.txt", "deleted"],
    ]);
    expect(await scene.page.call("turn.files", { turn: first.id })).toMatchObject([
      { path: "a.txt" },
    ]);
  });

  it("that changes nothing leaves no turn in the history, and names all agents that share it", async () => {
    await using scene = await TurnScene.open({ "a.txt": "a\n" });
    const { workbench } = scene.bench;
    const other = { id: "other", name: "Other" };
    workbench.abilities.activity?.({ kind: "connected", agent: other });
    await scene.prompt("First");
    const turn = await scene.prompt("Second");
    expect(turn).toMatchObject({ agent: "Second", others: ["Other", "First"] });
    await scene.page.until(({ turns }) => Object.keys(turns).length === 1);
    workbench.abilities.activity?.({ kind: "left", agent: other });
    expect((await scene.prompt("First")).others).toEqual(["Second"]);
  });
});

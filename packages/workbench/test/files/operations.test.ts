import { access, lstat, mkdir, readdir, readFile, rm, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { fileUri, type Uri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { Fence } from "../../src/files/fence.js";
import { Operations } from "../../src/files/operations.js";
import { Trash } from "../../src/files/trash.js";
import { Scene } from "./scene.js";

async function scene(files: Record<string, string> = {}): Promise<Scene> {
  const opened = await Scene.open({ files });
  await opened.start();
  return opened;
}
const read = (at: Scene, name: string) => readFile(join(at.folder, name), "utf8");
const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );
const has = (at: Scene, name: string) => exists(join(at.folder, name));
const create = (at: Scene, name: string, kind: "file" | "folder" = "file") =>
  at.files.handlers["files.create"]({ uri: at.uri(name), kind }, at.window);
const rename = (at: Scene, from: string, to: string) =>
  at.files.handlers["files.rename"]({ from: at.uri(from), to: at.uri(to) }, at.window);
const remove = (at: Scene, ...names: string[]) =>
  at.files.handlers["files.delete"]({ uris: names.map((name) => at.uri(name)) }, at.window);
const undo = (at: Scene) => at.files.handlers["files.undo"]({}, at.window);

describe("making", () => {
  it("makes a file with the folders above it, and undo takes all of it back", async () => {
    const at = await scene();
    await create(at, "a/b/c.txt");
    expect(await read(at, "a/b/c.txt")).toBe("");
    expect(at.store.state.fileUndo).toBe("Create c.txt");
    expect(await at.find("c.txt")).toEqual(["a/b/c.txt"]);
    expect(await undo(at)).toBe("Create c.txt");
    expect(await has(at, "a")).toBe(false);
    expect(at.store.state.fileUndo).toBeNull();
    expect(await undo(at)).toBeNull();
  });

  it("refuses a name that is taken, and leaves no folders behind", async () => {
    const at = await scene({ "a.txt": "mine" });
    await expect(create(at, "a.txt")).rejects.toThrow("something called a.txt already");
    await expect(create(at, "a.txt", "folder")).rejects.toThrow("already");
    await expect(create(at, "a.txt/b")).rejects.toThrow("not a folder");
    expect(await read(at, "a.txt")).toBe("mine");
    expect(at.store.state.fileUndo).toBeNull();
  });

  it("keeps what was written into a file before its making is undone", async () => {
    const at = await scene();
    await create(at, "a.txt");
    await at.write("a.txt", "much work");
    await undo(at);
    const [entry] = await readdir(join(at.root, "state/trash"));
    expect(await readFile(join(at.root, "state/trash", entry!, "item"), "utf8")).toBe("much work");
  });

  it("takes names that look like options or hold a newline", async () => {
    const at = await scene();
    for (const name of ["-rf", "--pre=x", "a\nb", '"', "‮gpj.exe"]) {
      await create(at, name);
      expect(await has(at, name)).toBe(true);
    }
  });
});

describe("renaming", () => {
  it("moves a file, tells the documents, and undo moves it back", async () => {
    const at = await scene({ "a.txt": "text" });
    await rename(at, "a.txt", "deep/b.txt");
    expect(await read(at, "deep/b.txt")).toBe("text");
    expect(at.moves).toEqual([[at.uri("a.txt"), at.uri("deep/b.txt")]]);
    expect(at.store.state.fileUndo).toBe("Move a.txt");
    await undo(at);
    expect(await read(at, "a.txt")).toBe("text");
    expect(await has(at, "deep")).toBe(false);
    expect(at.moves.at(-1)).toEqual([at.uri("deep/b.txt"), at.uri("a.txt")]);
  });

  it("never puts anything in the place of another, forth or back", async () => {
    const at = await scene({ a: "a", b: "b", "folder/c": "c" });
    await mkdir(join(at.folder, "empty"));
    await expect(rename(at, "a", "b")).rejects.toThrow("something called b already");
    await expect(rename(at, "folder", "empty")).rejects.toThrow("already");
    await expect(rename(at, "folder", "folder/inside")).rejects.toThrow("into itself");
    await rename(at, "a", "z");
    await at.write("a", "somebody else's");
    await expect(undo(at)).rejects.toThrow("something called a already");
    expect(await read(at, "a")).toBe("somebody else's");
    await rm(join(at.folder, "a"));
    expect(await undo(at)).toBe("Rename a");
    expect(await read(at, "a")).toBe("a");
    expect(await read(at, "b")).toBe("b");
  });

  it("moves a link itself, not what it leads to", async () => {
    const at = await scene({ target: "t" });
    await symlink("target", join(at.folder, "link"));
    await rename(at, "link", "other");
    expect((await lstat(join(at.folder, "other"))).isSymbolicLink()).toBe(true);
    expect(await read(at, "target")).toBe("t");
  });

  it("forgets a step whose file is gone, so that the one before can be undone", async () => {
    const at = await scene({ a: "" });
    await create(at, "first");
    await rename(at, "a", "b");
    await rm(join(at.folder, "b"));
    await expect(undo(at)).rejects.toThrow("not there any more");
    expect(at.store.state.fileUndo).toBe("Create first");
  });
});

describe("deleting", () => {
  it("moves into the trash, and undo brings all of it back", async () => {
    const at = await scene({ "a/x": "x", "a/y/z": "z", b: "b" });
    await remove(at, "a", "b", "a/x");
    expect(await at.list()).toEqual([]);
    expect(at.store.state.fileUndo).toBe("Delete 2 items");
    expect(at.noticed).toContain(join(at.folder, "b"));
    await undo(at);
    expect(await read(at, "a/y/z")).toBe("z");
    expect(await read(at, "b")).toBe("b");
    expect(await readdir(join(at.root, "state/trash"))).toEqual([]);
  });

  it("takes what is in a chosen folder with it, whatever is chosen besides", async () => {
    const at = await scene({ "src/x": "x", "src-old": "old" });
    await remove(at, "src", "src-old", "src/x");
    expect(await at.list()).toEqual([]);
  });

  it("deletes nothing if one of them cannot be deleted", async () => {
    const at = await scene({ a: "a" });
    await expect(remove(at, "a", "absent")).rejects.toThrow("absent could not be deleted");
    expect(await read(at, "a")).toBe("a");
  });

  it("puts nothing back over something new", async () => {
    const at = await scene({ a: "old" });
    await remove(at, "a");
    await at.write("a", "new");
    await expect(undo(at)).rejects.toThrow("rename that, and undo again");
    expect(await read(at, "a")).toBe("new");
    await rename(at, "a", "kept");
    await undo(at);
    await rm(join(at.folder, "a"), { force: true });
    expect(at.store.state.fileUndo).toBe("Delete a");
    await undo(at);
    expect(await read(at, "a")).toBe("old");
  });

  it("deletes a link and leaves what it leads to", async () => {
    const at = await scene();
    await mkdir(join(at.root, "outside"));
    await symlink(join(at.root, "outside"), join(at.folder, "link"));
    await remove(at, "link");
    expect(await has(at, "link")).toBe(false);
    await access(join(at.root, "outside"));
  });
});

describe("the fence", () => {
  it("refuses the workspace itself, what is outside, and git's own folder", async () => {
    const at = await scene({ a: "" });
    await mkdir(join(at.root, "outside"));
    await symlink(join(at.root, "outside"), join(at.folder, "out"));
    const to = (uri: string) =>
      at.files.handlers["files.create"]({ uri: uri as Uri, kind: "file" }, at.window);
    await expect(to(fileUri(at.folder))).rejects.toThrow("is the workspace itself");
    await expect(create(at, "../b")).rejects.toThrow("outside of the workspace");
    await expect(create(at, "out/b")).rejects.toThrow("outside of the workspace");
    await expect(create(at, "out/new/b")).rejects.toThrow("outside of the workspace");
    await expect(rename(at, "a", "out/a")).rejects.toThrow("outside of the workspace");
    await expect(create(at, ".git/hooks/pre-commit")).rejects.toThrow("use git in the terminal");
    await expect(create(at, ".GIT/hooks/x")).rejects.toThrow("use git in the terminal");
    await expect(to(`${at.uri("a")}%00`)).rejects.toThrow("NUL");
    await expect(to("untitled:Untitled-1")).rejects.toThrow("not a file");
    expect(await readdir(join(at.root, "outside"))).toEqual([]);
    expect(await has(at, "a")).toBe(true);
  });

  it("refuses to delete or move a workspace folder that lies in another one", async () => {
    const at = await Scene.open({
      folders: ["project", "project/inner"],
      files: { "inner/a": "" },
    });
    await at.start();
    await expect(remove(at, "inner")).rejects.toThrow("the workspace itself");
    await expect(rename(at, "inner", "other")).rejects.toThrow("the workspace itself");
  });
});

describe("the trash", () => {
  it("forgets what is old, and the oldest while there is too much", async () => {
    const at = await scene({ a: "aaaa", b: "bbbb", c: "cccc" });
    const folder = join(at.root, "trash");
    const trash = new Trash(folder);
    const [a, b, c] = [
      await trash.take(join(at.folder, "a")),
      await trash.take(join(at.folder, "b")),
      await trash.take(join(at.folder, "c")),
    ];
    await utimes(folder, 0, 0);
    const day = 24 * 60 * 60 * 1_000;
    await trash.prune({ bytes: 0, ageMs: 30 * day });
    expect(await readdir(folder)).toHaveLength(3);
    await trash.prune({ bytes: 1e9, ageMs: 30 * day }, Date.now() + 2 * day);
    expect(await readdir(folder)).toHaveLength(3);
    const { length } = JSON.stringify({ from: join(at.folder, "a") });
    const two = 2 * (length + 4) + 4 * 4096;
    await trash.prune({ bytes: two - 4 * 4096, ageMs: 30 * day }, Date.now() + 2 * day);
    expect((await readdir(folder)).sort()).toEqual([b.id, c.id].sort());
    await trash.prune({ bytes: 1e9, ageMs: 30 * day }, Date.now() + 31 * day);
    expect(await readdir(folder)).toEqual([]);
    expect(a.from).toBe(join(at.folder, "a"));
  });

  it("keeps what undo can still bring back, however old it is", async () => {
    const at = await scene({ a: "mine", b: "other" });
    const folder = join(at.root, "trash of its own");
    const trash = new Trash(folder);
    const told = { undoable: () => {}, changed: async () => {} };
    const operations = new Operations(
      new Fence([at.folder]),
      trash,
      { moved: async () => {} },
      told,
    );
    const { id } = await trash.take(join(at.folder, "b"));
    await operations.delete([at.uri("a")]);
    await operations.pruneTrash({ bytes: 0, ageMs: 0 }, Date.now() + 1e10);
    expect(await readdir(folder)).not.toContain(id);
    expect(await operations.undo()).toBe("Delete a");
    expect(await read(at, "a")).toBe("mine");
  });
});

import { mkdir, rename, rm, stat, symlink, unlink, utimes, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { DocumentsScene } from "./scene.js";

describe("a file that changes underneath", () => {
  it("is followed by a document without unsaved edits, by a small edit", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one\ntwo\nthree\n");
    const touched: string[] = [];
    scene.documents.subscribe((change) => {
      if (change.kind !== "text") return;
      touched.push(change.change.by, JSON.stringify(change.change.changes));
    });
    await scene.write("a.txt", "one\n2\nthree\n");
    await scene.documents.noticeDisk([scene.path("a.txt")]);
    expect(scene.text(uri)).toBe("one\n2\nthree\n");
    expect(touched).toEqual(["disk", '[4,[3,"2"],7]']);
    expect(scene.info(uri)).toMatchObject({ dirty: false, clash: null, size: 12 });
  });

  it("is noticed by its folder's name, through a link, and without a name", async () => {
    await using scene = await DocumentsScene.open();
    await mkdir(scene.path("deep"));
    await scene.write("deep/a.txt", "1");
    await symlink(scene.path("deep"), scene.path("link"));
    const uri = scene.uri("link/a.txt");
    await scene.documents.show(uri, false);
    await scene.write("deep/a.txt", "2");
    await scene.documents.noticeDisk([scene.path("deep/a.txt")]);
    expect(scene.text(uri)).toBe("2");
    await scene.write("deep/a.txt", "3");
    await scene.documents.noticeDisk([scene.path("deep")]);
    expect(scene.text(uri)).toBe("3");
    await scene.write("deep/a.txt", "4");
    await scene.documents.noticeDisk([scene.path("elsewhere")]);
    expect(scene.text(uri)).toBe("3");
    await scene.documents.noticeDisk();
    expect(scene.text(uri)).toBe("4");
  });

  it("is told from its former self though its time and size are the same", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "0");
    for (let n = 1; n < 60; n++) {
      await scene.write("a.txt", String(n % 10));
      await scene.documents.noticeDisk([scene.path("a.txt")]);
      expect(scene.text(uri)).toBe(String(n % 10));
    }
  });

  it("is noticed though it was given back its time, its size and its inode", async () => {
    await using scene = await DocumentsScene.open();
    await scene.write("a.txt", "one");
    const { atime, mtime } = await stat(scene.path("a.txt"));
    const uri = scene.uri("a.txt");
    await scene.documents.show(uri, false);
    await scene.write("a.txt", "two");
    await utimes(scene.path("a.txt"), atime, mtime);
    await scene.documents.noticeDisk();
    expect(scene.text(uri)).toBe("two");
  });

  it("gives a document with unsaved edits a clash, and takes nothing from it", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    scene.documents.edit(uri, { from: 3, insert: " mine" });
    await scene.write("a.txt", "one theirs");
    await scene.documents.noticeDisk([scene.path("a.txt")]);
    expect(scene.info(uri)).toMatchObject({ dirty: true, clash: "changed" });
    expect(scene.text(uri)).toBe("one mine");
    await scene.write("a.txt", "one");
    await scene.documents.noticeDisk([scene.path("a.txt")]);
    expect(scene.info(uri)).toMatchObject({ dirty: true, clash: null });
  });

  it("to what the person typed anyway leaves nothing unsaved", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    scene.documents.edit(uri, { from: 3, insert: "!" });
    await scene.write("a.txt", "one!");
    await scene.documents.noticeDisk();
    expect(scene.info(uri)).toMatchObject({ dirty: false, clash: null });
  });

  it("is not overwritten by a save that knew nothing of it", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    scene.documents.edit(uri, { from: 3, insert: " mine" });
    await scene.write("a.txt", "one theirs");
    await expect(scene.documents.save(uri)).rejects.toThrow("has changed on disk");
    expect(await scene.read("a.txt")).toBe("one theirs");
    expect(scene.info(uri)?.clash).toBe("changed");
    await scene.documents.save(uri, true);
    expect(await scene.read("a.txt")).toBe("one mine");
    expect(scene.info(uri)).toMatchObject({ dirty: false, clash: null });
  });

  it("when it is undecodable now makes the document read-only, until it is text again", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    await scene.write("a.txt", Buffer.from([0x61, 0xff]));
    await scene.documents.noticeDisk();
    expect(scene.info(uri)?.readOnly).toMatch(/cannot be edited/);
    expect(() => scene.documents.edit(uri, { from: 0, insert: "x" })).toThrow();
    await scene.write("a.txt", "a\0b");
    await scene.documents.noticeDisk();
    expect(scene.info(uri)?.readOnly).not.toBeNull();
    await scene.write("a.txt", "two");
    await scene.documents.noticeDisk();
    expect(scene.info(uri)?.readOnly).toBeNull();
    expect(scene.text(uri)).toBe("two");
  });
});

describe("a file that is deleted", () => {
  it("takes the tab of a document without unsaved edits with it", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    await unlink(scene.path("a.txt"));
    await scene.documents.noticeDisk();
    expect(scene.tabs()).toEqual([]);
    expect(scene.info(uri)).toBeUndefined();
  });

  it("and made again within a moment keeps its tab", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    await unlink(scene.path("a.txt"));
    const noticed = scene.documents.noticeDisk();
    await scene.write("a.txt", "two");
    await noticed;
    expect(scene.tabs()).toEqual(["a.txt"]);
    expect(scene.text(uri)).toBe("two");
  });

  it("with unsaved edits stays, with a clash; keeping mine makes it again", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    scene.documents.edit(uri, { from: 3, insert: "!" });
    await unlink(scene.path("a.txt"));
    await scene.documents.noticeDisk();
    expect(scene.info(uri)).toMatchObject({ dirty: true, clash: "deleted" });
    await expect(scene.documents.save(uri)).rejects.toThrow("was deleted");
    await scene.documents.settle(uri, "mine");
    expect(scene.info(uri)).toMatchObject({ dirty: true, clash: null });
    await scene.documents.save(uri);
    expect(await scene.read("a.txt")).toBe("one!");
  });

  it("and replaced by a folder is as good as deleted", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    const other = await scene.show("b.txt", "one");
    scene.documents.edit(uri, { from: 3, insert: "!" });
    for (const name of ["a.txt", "b.txt"]) {
      await rm(scene.path(name));
      await mkdir(scene.path(name));
    }
    await scene.documents.noticeDisk();
    expect(scene.info(uri)).toMatchObject({ dirty: true, clash: "deleted" });
    expect(scene.info(other)).toBeUndefined();
    await expect(scene.documents.save(uri)).rejects.toThrow("not an ordinary file");
    expect(scene.info(uri)?.trouble).toContain("another name");
    expect(scene.text(uri)).toBe("one!");
  });

  it("gives the tab up when the person takes the file's side", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    scene.documents.edit(uri, { from: 3, insert: "!" });
    await unlink(scene.path("a.txt"));
    await scene.documents.noticeDisk();
    await scene.documents.settle(uri, "theirs");
    expect(scene.tabs()).toEqual([]);
  });
});

describe("a file that we rename", () => {
  it("keeps its tab, also where its old name is looked for in the meantime", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    await rename(scene.path("a.txt"), scene.path("b.txt"));
    const noticed = scene.documents.noticeDisk([scene.path("a.txt"), scene.path("b.txt")]);
    await scene.documents.moved(uri, scene.uri("b.txt"));
    await noticed;
    expect(scene.tabs()).toEqual(["b.txt"]);
    expect(scene.info(scene.uri("b.txt"))).toMatchObject({ label: "b.txt", dirty: false });
    expect(scene.info(uri)).toBeUndefined();
  });
});

describe("a clash", () => {
  async function clash(): Promise<{
    scene: DocumentsScene;
    uri: Awaited<ReturnType<DocumentsScene["show"]>>;
  }> {
    const scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one\n");
    scene.documents.edit(uri, { from: 0, insert: "mine\n" });
    await scene.write("a.txt", "one\ntheirs\n");
    await scene.documents.noticeDisk();
    return { scene, uri };
  }

  it("settled for mine lets the next save overwrite, but not one after the file changed again", async () => {
    const { scene, uri } = await clash();
    await using _scene = scene;
    await scene.documents.settle(uri, "mine");
    expect(scene.info(uri)).toMatchObject({ dirty: true, clash: null });
    await scene.write("a.txt", "again\n");
    await expect(scene.documents.save(uri)).rejects.toThrow("has changed on disk");
    await scene.documents.settle(uri, "mine");
    await scene.documents.save(uri);
    expect(await scene.read("a.txt")).toBe("mine\none\n");
  });

  it("settled for theirs takes the file", async () => {
    const { scene, uri } = await clash();
    await using _scene = scene;
    await scene.documents.settle(uri, "theirs");
    expect(scene.text(uri)).toBe("one\ntheirs\n");
    expect(scene.info(uri)).toMatchObject({ dirty: false, clash: null });
  });

  it("is merged with both sides and what they had in common", async () => {
    const { scene, uri } = await clash();
    await using _scene = scene;
    const merges: unknown[] = [];
    scene.documents.onMerge = (merge) => void merges.push(merge);
    await scene.documents.settle(uri, "merge");
    expect(merges).toEqual([{ uri, base: "one\n", mine: "mine\none\n", theirs: "one\ntheirs\n" }]);
    expect(scene.info(uri)?.clash).toBe("changed");
    // The merge may be decided after a crash too.
    await scene.start();
    expect(scene.info(uri)?.clash).toBe("changed");
    scene.documents.edit(uri, { from: 9, insert: "theirs\n" }, "review");
    await scene.idle();
    expect(scene.info(uri)).toMatchObject({ dirty: true, clash: null });
    await scene.documents.save(uri);
    expect(await scene.read("a.txt")).toBe("mine\none\ntheirs\n");
  });

  it("stays where the file changed again after the merge began", async () => {
    const { scene, uri } = await clash();
    await using _scene = scene;
    scene.documents.onMerge = () => {};
    await scene.documents.settle(uri, "merge");
    await scene.write("a.txt", "again\n");
    scene.documents.edit(uri, { from: 9, insert: "theirs\n" }, "review");
    await expect(scene.documents.save(uri)).rejects.toThrow("has changed on disk");
    expect(await scene.read("a.txt")).toBe("again\n");
  });

  it("that is over cannot be settled: nothing is taken from the person then", async () => {
    const { scene, uri } = await clash();
    await using _scene = scene;
    await scene.write("a.txt", "one\n");
    await scene.documents.noticeDisk();
    await scene.documents.settle(uri, "theirs");
    expect(scene.text(uri)).toBe("mine\none\n");
  });

  it("goes when the edits are undone: the document follows its file by itself then", async () => {
    const { scene, uri } = await clash();
    await using _scene = scene;
    scene.documents.edit(uri, { from: 0, to: 5 });
    await scene.documents.get(uri)!.queue.idle();
    expect(scene.text(uri)).toBe("one\ntheirs\n");
    expect(scene.info(uri)).toMatchObject({ dirty: false, clash: null });
  });
});

describe("an agent that writes all the time", () => {
  it("is followed to its last word, while the person's own edits are never taken", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "0\n");
    const mine = await scene.show("b.txt", "0\n");
    scene.documents.edit(mine, { from: 0, insert: "mine " });
    const noticing: Promise<void>[] = [];
    for (let n = 1; n <= 50; n++) {
      for (const name of ["a.txt", "b.txt"]) {
        await writeFile(scene.path(`${name}.new`), `${n}\n`);
        await rename(scene.path(`${name}.new`), scene.path(name));
        noticing.push(scene.documents.noticeDisk([scene.path(name)]));
      }
    }
    await Promise.all(noticing);
    expect(scene.text(uri)).toBe("50\n");
    expect(scene.text(mine)).toBe("mine 0\n");
    expect(scene.info(mine)?.clash).toBe("changed");
  });
});

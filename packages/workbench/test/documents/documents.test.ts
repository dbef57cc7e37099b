import { mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { parseUri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { DocumentsScene } from "./scene.js";

describe("a document", () => {
  it("opens with its text in LF, and says what its file is like", async () => {
    await using scene = await DocumentsScene.open();
    await mkdir(scene.path("src"));
    const uri = await scene.show("src/a.ts", "\ufeffone\r\ntwo\r\n");
    expect(scene.text(uri)).toBe("one\ntwo\n");
    expect(scene.info(uri)).toEqual({
      uri,
      label: "a.ts",
      place: "src",
      languageId: "typescript",
      dirty: false,
      lineEnds: "crlf",
      encoding: "utf-8 with BOM",
      readOnly: null,
      clash: null,
      trouble: null,
      size: 13,
    });
  });

  it("is dirty while its text is another than the file's, and clean when it is the same again", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    scene.documents.edit(uri, { from: 3, insert: "!" });
    expect(scene.info(uri)?.dirty).toBe(true);
    expect(await readdir(scene.journal)).toContainEqual(expect.stringMatching(/\.journal$/));
    scene.documents.edit(uri, { from: 3, to: 4 });
    expect(scene.info(uri)?.dirty).toBe(false);
    expect(await readdir(scene.journal)).toEqual(["tabs.json"]);
  });

  it("is saved with the line ends and the mark that its file had", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "\ufeffone\r\ntwo\r\n");
    scene.documents.edit(uri, { from: 3, insert: "\n1.5" });
    await scene.documents.save(uri);
    expect(await scene.read("a.txt")).toBe("\ufeffone\r\n1.5\r\ntwo\r\n");
    expect(scene.info(uri)?.dirty).toBe(false);
    expect(await readdir(scene.folder)).toEqual(["a.txt"]);
  });

  it("keeps the line ends of untouched lines where they are mixed; new lines get the usual one", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "1\r\n2\n3\r\n4\r5\r\n");
    expect(scene.info(uri)?.lineEnds).toBe("mixed");
    scene.documents.edit(uri, { from: 0, insert: "0\n" });
    scene.documents.edit(uri, { from: 4, to: 5, insert: "two" });
    await scene.documents.save(uri);
    expect(await scene.read("a.txt")).toBe("0\r\n1\r\ntwo\n3\r\n4\r5\r\n");
  });

  it("has the line end again that was deleted and brought back", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "1\r\n2\n3\r\n");
    scene.documents.edit(uri, { from: 3, to: 4 });
    expect(scene.info(uri)?.lineEnds).toBe("crlf");
    scene.documents.edit(uri, { from: 3, insert: "\n" });
    expect(scene.info(uri)).toMatchObject({ dirty: false, lineEnds: "mixed" });
    scene.documents.edit(uri, { from: 0, insert: "0" });
    await scene.documents.save(uri);
    expect(await scene.read("a.txt")).toBe("01\r\n2\n3\r\n");
  });

  it("without a file is saved under a name, and is then the document of that file", async () => {
    await using scene = await DocumentsScene.open();
    const { uri } = await scene.documents.handlers["document.new"]({}, undefined as never);
    expect(uri).toBe("untitled:Untitled-1");
    scene.documents.edit(uri, { from: 0, insert: "hello" });
    await expect(scene.documents.save(uri)).rejects.toThrow("save it under a name");
    await scene.documents.saveAs(uri, scene.uri("b.txt"), false);
    expect(await scene.read("b.txt")).toBe("hello");
    expect(scene.tabs()).toEqual(["b.txt"]);
    expect(scene.text(scene.uri("b.txt"))).toBe("hello");
    expect(await readdir(scene.journal)).toEqual(["tabs.json"]);
  });

  it("is not saved over another file that exists", async () => {
    await using scene = await DocumentsScene.open();
    await scene.write("there.txt", "theirs");
    const uri = await scene.show("a.txt", "mine");
    await expect(scene.documents.saveAs(uri, scene.uri("there.txt"), false)).rejects.toThrow(
      "There is already a file",
    );
    expect(await scene.read("there.txt")).toBe("theirs");
    await scene.documents.saveAs(uri, scene.uri("there.txt"), true);
    expect(await scene.read("there.txt")).toBe("mine");
  });

  it("is reverted by an edit", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    scene.documents.edit(uri, { from: 0, to: 3, insert: "two" });
    const { version } = scene.documents.get(uri)!.shared;
    await scene.documents.revert(uri);
    expect(scene.text(uri)).toBe("one");
    expect(scene.info(uri)?.dirty).toBe(false);
    expect(scene.documents.get(uri)!.shared.version).toBe(version + 1);
  });

  it("gets other line ends by wish, as an unsaved change", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "1\n2\r\n3\n");
    scene.documents.setLineEnds(uri, "crlf");
    expect(scene.info(uri)).toMatchObject({ dirty: true, lineEnds: "crlf" });
    await scene.documents.save(uri);
    expect(await scene.read("a.txt")).toBe("1\r\n2\r\n3\r\n");
    expect(scene.info(uri)?.dirty).toBe(false);
  });

  it("loses blanks at the ends of lines when it is saved, if the settings say so", async () => {
    await using scene = await DocumentsScene.open();
    scene.settings = { ...scene.settings, trimTrailingWhitespace: true };
    const uri = await scene.show("a.txt", "1  \n2\t\n");
    scene.documents.edit(uri, { from: 0, insert: "0 \n" });
    await scene.documents.save(uri);
    expect(await scene.read("a.txt")).toBe("0\n1\n2\n");
    expect(scene.text(uri)).toBe("0\n1\n2\n");
  });

  it("is only ever a file or an untitled text", async () => {
    await using scene = await DocumentsScene.open();
    for (const name of ["https://example.com/a", "untitled:../../etc/passwd", "file:///a%00b"]) {
      await expect(scene.documents.show(parseUri(name)!, false)).rejects.toThrow();
    }
    expect(scene.tabs()).toEqual([]);
  });
});

describe("tabs", () => {
  it("take the place of a preview, unless it was edited", async () => {
    await using scene = await DocumentsScene.open();
    const [a, b, c] = [
      await scene.write("a", "a"),
      await scene.write("b", "b"),
      await scene.write("c", "c"),
    ];
    await scene.documents.show(a, true);
    await scene.documents.show(b, true);
    expect(scene.tabs()).toEqual(["b"]);
    expect(scene.info(a)).toBeUndefined();
    scene.documents.edit(b, { from: 0, insert: "x" });
    await scene.documents.show(c, true);
    expect(scene.store.state.tabs).toEqual([
      { uri: b, preview: false },
      { uri: c, preview: true },
    ]);
    await scene.documents.show(c, false);
    expect(scene.store.state.tabs[1]).toEqual({ uri: c, preview: false });
  });

  it("move, and close only with leave where something is unsaved", async () => {
    await using scene = await DocumentsScene.open();
    const a = await scene.show("a", "a");
    await scene.show("b", "b");
    scene.documents.moveTab(a, 1);
    expect(scene.tabs()).toEqual(["b", "a"]);
    scene.documents.edit(a, { from: 0, insert: "x" });
    expect(await scene.documents.close(a, false)).toBe("dirty");
    expect(scene.tabs()).toEqual(["b", "a"]);
    expect(await scene.documents.close(a, true)).toBe("closed");
    expect(await scene.documents.close(a, true)).toBe("absent");
    expect(scene.tabs()).toEqual(["b"]);
    expect(await readdir(scene.journal)).toEqual(["tabs.json"]);
  });

  it("open one after the other, so that the preview asked for last is the one that stays", async () => {
    await using scene = await DocumentsScene.open();
    const large = await scene.write("large", "x".repeat(5_000_000));
    const small = await scene.write("small", "x");
    await Promise.all([scene.documents.show(large, true), scene.documents.show(small, true)]);
    expect(scene.tabs()).toEqual(["small"]);
  });

  it("follow a folder that was renamed, with what is unsaved", async () => {
    await using scene = await DocumentsScene.open();
    await mkdir(scene.path("old"));
    const uri = await scene.show("old/a.txt", "one");
    scene.documents.edit(uri, { from: 3, insert: "!" });
    await rename(scene.path("old"), scene.path("new"));
    await scene.documents.moved(scene.uri("old"), scene.uri("new"));
    const now = scene.uri(join("new", "a.txt"));
    expect(scene.text(now)).toBe("one!");
    expect(scene.info(now)).toMatchObject({ dirty: true, place: "new", clash: null });
    await scene.documents.save(now);
    expect(await scene.read("new/a.txt")).toBe("one!");
  });
});

describe("a document that is closed while its file is read or written", () => {
  it("is not saved any more when its edits were given up", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    scene.documents.edit(uri, { from: 3, insert: "!" });
    const closing = scene.documents.close(uri, true);
    const saving = scene.documents.save(uri);
    await expect(saving).rejects.toThrow("is not open");
    expect(await closing).toBe("closed");
    expect(await scene.read("a.txt")).toBe("one");
    expect(await readdir(scene.journal)).toEqual(["tabs.json"]);
  });

  it("is not told of any more", async () => {
    await using scene = await DocumentsScene.open();
    const [a, b] = [await scene.write("a.txt", "one"), await scene.write("b.txt", "two")];
    await scene.documents.show(a, true);
    const queue = scene.documents.get(a)?.queue;
    await queue?.idle();
    // What looks empty is looked at a second time: until then the next preview is there.
    await scene.write("a.txt", "");
    const looking = scene.documents.noticeDisk([scene.path("a.txt")]);
    await scene.documents.show(b, true);
    expect(scene.info(a)).toBeUndefined();
    await looking;
    expect(scene.info(a)).toBeUndefined();
    expect(scene.tabs()).toEqual(["b.txt"]);
  });
});

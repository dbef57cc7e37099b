import { readFileSync } from "node:fs";
import {
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { parseUri, type Uri } from "@lockstep/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { journalPath } from "../../src/documents/journal.js";
import { DocumentsScene } from "./scene.js";

const window = undefined as never;

async function journals(scene: DocumentsScene): Promise<string[]> {
  const names = await readdir(scene.journal);
  return names.filter((name) => name.endsWith(".journal")).map((name) => join(scene.journal, name));
}

/** A scene with one document that has unsaved edits in its journal. */
async function unsaved(): Promise<{ scene: DocumentsScene; uri: Uri; path: string }> {
  const scene = await DocumentsScene.open();
  const uri = await scene.show("a.txt", "1\r\n2\n3\r\n");
  scene.documents.edit(uri, { from: 0, insert: "zero\n" });
  scene.documents.edit(uri, { from: 4, insert: "!" });
  const [path = ""] = await journals(scene);
  return { scene, uri, path };
}

describe("the journal of unsaved work", () => {
  it("brings back the text, the line ends, and the versions that windows know", async () => {
    const { scene, uri } = await unsaved();
    await using _scene = scene;
    const { epoch, version } = scene.documents.get(uri)!.shared;
    await scene.start();
    const { shared, info } = scene.documents.get(uri)!;
    expect(shared).toMatchObject({ epoch, version });
    expect(shared.toString()).toBe("zero!\n1\n2\n3\n");
    expect(info).toMatchObject({ dirty: true, lineEnds: "mixed", clash: null });
    // A window that had seen only the first edit goes on from there.
    const missed = scene.texts.handlers["text.pull"]({ name: uri, epoch, version: 1 }, window);
    expect(missed).toHaveLength(1);
    await scene.documents.save(uri);
    expect(await scene.read("a.txt")).toBe("zero!\r\n1\r\n2\n3\r\n");
  });

  it("knows that line ends were chosen, also those that most lines have already", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "1\n2\r\n3\n");
    scene.documents.setLineEnds(uri, "lf");
    await scene.start();
    expect(scene.info(uri)).toMatchObject({ dirty: true, lineEnds: "lf" });
    await scene.documents.save(uri);
    expect(await scene.read("a.txt")).toBe("1\n2\n3\n");
    expect(scene.info(uri)?.dirty).toBe(false);
  });

  it("has an update before anybody hears of it", async () => {
    const { scene, uri, path } = await unsaved();
    await using _scene = scene;
    let seen = "";
    const listening = scene.documents.subscribe((change) => {
      if (change.kind === "text") seen = readFileSync(path, "utf8");
    });
    scene.documents.edit(uri, { from: 0, insert: "last" });
    listening[Symbol.dispose]();
    expect(seen).toContain('"last"');
  });

  it("is readable by its owner only", async () => {
    const { scene, path } = await unsaved();
    await using _scene = scene;
    expect((await stat(scene.journal)).mode & 0o777).toBe(0o700);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(scene.journal, "tabs.json"))).mode & 0o777).toBe(0o600);
  });

  it("survives any number of ends, with text that has no file, and chosen line ends", async () => {
    await using scene = await DocumentsScene.open();
    const uri = scene.documents.create();
    const other = await scene.show("a.txt", "1\n2\n");
    scene.documents.setLineEnds(other, "crlf");
    for (let n = 0; n < 5; n++) {
      scene.documents.edit(uri, { from: 0, insert: `${n}\n` });
      await scene.start();
    }
    expect(scene.text(uri)).toBe("4\n3\n2\n1\n0\n");
    expect(scene.tabs()).toEqual(["untitled:Untitled-1", "a.txt"]);
    expect(scene.info(other)).toMatchObject({ dirty: true, lineEnds: "crlf" });
    await scene.documents.save(other);
    expect(await scene.read("a.txt")).toBe("1\r\n2\r\n");
  });

  it("is shortened when it gets long, and loses nothing by it", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "");
    for (let n = 0; n < 60; n++) {
      const length = scene.documents.get(uri)!.shared.text.length;
      scene.documents.edit(uri, { from: 0, to: length, insert: String(n % 10).repeat(100_000) });
    }
    const [path = ""] = await journals(scene);
    expect((await stat(path)).size).toBeLessThan(4_500_000);
    const { epoch, version } = scene.documents.get(uri)!.shared;
    await scene.start();
    expect(scene.documents.get(uri)!.shared).toMatchObject({ epoch, version });
    expect(scene.text(uri)).toBe("9".repeat(100_000));
  });

  it("finds a file that changed meanwhile, one that was deleted, and one that has the edits already", async () => {
    await using scene = await DocumentsScene.open();
    const names = ["changed", "deleted", "equal"];
    const uris = await Promise.all(names.map((name) => scene.show(name, "one")));
    for (const uri of uris) scene.documents.edit(uri, { from: 3, insert: "!" });
    await scene.write("changed", "two");
    await unlink(scene.path("deleted"));
    await scene.write("equal", "one!");
    await scene.start();
    const [changed, deleted, equal] = uris.map((uri) => scene.info(uri));
    expect(changed).toMatchObject({ dirty: true, clash: "changed" });
    expect(deleted).toMatchObject({ dirty: true, clash: "deleted" });
    expect(equal).toMatchObject({ dirty: false, clash: null });
    expect(await journals(scene)).toHaveLength(2);
  });

  it("keeps the work under its old name where none can be begun under the new one", async () => {
    const { scene, uri } = await unsaved();
    await using _scene = scene;
    const target = scene.uri("b.txt");
    await mkdir(join(journalPath(scene.journal, target), "in the way"), { recursive: true });
    await rename(scene.path("a.txt"), scene.path("b.txt"));
    await scene.documents.moved(uri, target);
    expect(scene.notices()).toEqual([expect.stringContaining("cannot be kept safe")]);
    await scene.start();
    expect(scene.text(uri)).toBe("zero!\n1\n2\n3\n");
  });

  it("brings tabs back in their order, but not those of files that are gone", async () => {
    await using scene = await DocumentsScene.open();
    await scene.show("a", "a");
    await scene.show("b", "b");
    await scene.documents.show(await scene.write("c", "c"), true);
    scene.documents.moveTab(scene.uri("a"), 2);
    await unlink(scene.path("b"));
    await scene.documents[Symbol.asyncDispose]();
    await scene.start();
    expect(scene.store.state.tabs).toEqual([
      { uri: scene.uri("c"), preview: true },
      { uri: scene.uri("a"), preview: false },
    ]);
  });
});

describe("a second crash, during the start after the first", () => {
  it("finds all tabs and all unsaved work still there", async () => {
    await using scene = await DocumentsScene.open();
    for (const name of ["a", "b", "c"]) await scene.show(name, name);
    scene.documents.edit(scene.uri("c"), { from: 0, insert: "unsaved " });
    const list = join(scene.journal, "tabs.json");
    const [tabs, paths] = [readFileSync(list, "utf8"), await journals(scene)];
    const seen: string[] = [];
    await scene.start(() => {
      seen.push(readFileSync(list, "utf8"));
      expect.soft(readFileSync(paths[0] ?? "", "utf8")).toContain("unsaved");
    });
    expect(seen.length).toBeGreaterThan(3);
    expect(new Set(seen)).toEqual(new Set([tabs]));
  });
});

describe("a journal that is not as it was written", () => {
  it("loses at most its last line to a crash in the middle of it", async () => {
    const { scene, uri, path } = await unsaved();
    await using _scene = scene;
    const whole = await readFile(path, "utf8");
    await writeFile(path, whole.slice(0, -5));
    await scene.start();
    expect(scene.text(uri)).toBe("zero\n1\n2\n3\n");
    expect(scene.notices()).toEqual([]);
  });

  it("in its middle gives back what is before that, and is set aside", async () => {
    const { scene, uri, path } = await unsaved();
    await using _scene = scene;
    const lines = (await readFile(path, "utf8")).split("\n");
    await writeFile(path, [lines[0], lines[1], "garbage", lines[2], ""].join("\n"));
    await scene.start();
    expect(scene.text(uri)).toBe("zero\n1\n2\n3\n");
    expect(scene.notices()).toEqual([
      expect.stringContaining("Part of the unsaved work on a.txt from last time"),
    ]);
    expect(await readdir(join(scene.journal, "set-aside"))).toHaveLength(1);
    await scene.start();
    expect(scene.text(uri)).toBe("zero\n1\n2\n3\n");
  });

  it("is set aside and reported, whatever is in it", async () => {
    const { scene, uri, path } = await unsaved();
    await using _scene = scene;
    const head = JSON.parse((await readFile(path, "utf8")).split("\n")[0] ?? "");
    const bad = [
      "",
      "{}",
      "null\n",
      "\0\0\0",
      `${JSON.stringify({ ...head, uri: scene.uri("other") })}\n`,
      `${JSON.stringify({ ...head, version: -1 })}\n`,
      `${JSON.stringify({ ...head, format: { encoding: "utf-7", ends: ["lf"] } })}\n`,
      `${JSON.stringify({ ...head, format: { encoding: "utf-8", ends: ["lf", [99, "cr"]] } })}\n`,
      `${JSON.stringify({ ...head, text: 1 })}\n`,
    ];
    for (const [index, content] of bad.entries()) {
      await scene.documents[Symbol.asyncDispose]();
      await writeFile(path, content);
      await scene.start();
      expect(scene.notices()).toEqual([expect.stringContaining("could not be read")]);
      expect(await readdir(join(scene.journal, "set-aside"))).toHaveLength(index + 1);
      expect(scene.text(uri)).toBe("1\n2\n3\n");
    }
  });

  it("of what cannot be a document is set aside, though all else is right", async () => {
    const { scene, path } = await unsaved();
    await using _scene = scene;
    await scene.documents[Symbol.asyncDispose]();
    const [line = ""] = (await readFile(path, "utf8")).split("\n");
    const name = parseUri("https://example.com/")!;
    const head = `${JSON.stringify({ ...JSON.parse(line), uri: name })}\n`;
    await writeFile(journalPath(scene.journal, name), head);
    await scene.start();
    expect(scene.tabs()).toEqual(["a.txt"]);
    expect(scene.notices()).toEqual([expect.stringContaining("Unsaved work of a document")]);
  });

  it("may be a folder, a link or anything else: the start goes on", async () => {
    const { scene, uri, path } = await unsaved();
    await using _scene = scene;
    await scene.documents[Symbol.asyncDispose]();
    await rm(path);
    await mkdir(path);
    await symlink("/etc/passwd", join(scene.journal, "link.journal"));
    await mkdir(join(scene.journal, "tabs.json.0123abcd"));
    await rm(join(scene.journal, "tabs.json"));
    await symlink("/dev/zero", join(scene.journal, "tabs.json"));
    await scene.start();
    expect(scene.notices()).toEqual([
      expect.stringContaining("Unsaved work of 2 documents"),
      expect.stringContaining("The list of open tabs"),
    ]);
    await scene.documents.show(uri, false);
    scene.documents.edit(uri, { from: 0, insert: "x" });
    await scene.start();
    expect(scene.text(uri)).toBe("x1\n2\n3\n");
    expect((await lstat("/etc/passwd")).isFile()).toBe(true);
  });

  it("never stops the start, wherever a byte is flipped, nor is it lost", async () => {
    const { scene, uri, path } = await unsaved();
    await using _scene = scene;
    await scene.documents[Symbol.asyncDispose]();
    const whole = await readFile(path);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
        await rm(join(scene.journal, "set-aside"), { recursive: true, force: true });
        const bytes = Buffer.from(whole);
        bytes[at] = byte;
        await writeFile(path, bytes);
        await scene.start();
        const aside = await readdir(join(scene.journal, "set-aside")).catch(() => []);
        const there = scene.documents.get(uri)?.dirty === true;
        expect(there || aside.length > 0).toBe(true);
        await scene.documents[Symbol.asyncDispose]();
      }),
      { numRuns: 100 },
    );
    await scene.start();
  });
});

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { fileUri, printable, type Uri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { DocumentsScene } from "./scene.js";

const window = undefined as never;

describe("what is not a text file", () => {
  it("is refused at once, in a sentence", async () => {
    await using scene = await DocumentsScene.open();
    const refused = async (name: string, why: string) => {
      await expect(scene.documents.show(scene.uri(name), false)).rejects.toThrow(why);
      expect(scene.tabs()).toEqual([]);
    };
    await mkdir(scene.path("folder"));
    await refused("folder", "is a folder");
    execFileSync("mkfifo", [scene.path("pipe")]);
    await refused("pipe", "not an ordinary file");
    await symlink("pipe", scene.path("link to pipe"));
    await refused("link to pipe", "not an ordinary file");
    await symlink("loop", scene.path("loop"));
    await refused("loop", "leads back to itself");
    await symlink("/dev/zero", scene.path("zero"));
    await refused("zero", "not an ordinary file");
    await refused("absent", "There is no file");
    await scene.write("binary", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]));
    await refused("binary", "binary file");
    await scene.write("large", "");
    await truncate(scene.path("large"), 50 * 1024 * 1024 + 1);
    await refused("large", "50 MB");
    await refused("x".repeat(300), "too long");
    await refused("binary/below", "There is no file");
    const server = createServer().listen(scene.path("socket"));
    await once(server, "listening");
    await refused("socket", "not an ordinary file");
    server.close();
  });

  it("is not waited for when it takes the place of an open file", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    await rm(scene.path("a.txt"));
    execFileSync("mkfifo", [scene.path("a.txt")]);
    await scene.documents.noticeDisk();
    expect(scene.info(uri)?.readOnly).toContain("not an ordinary file");
    expect(scene.text(uri)).toBe("one");
    const other = scene.documents.create();
    await expect(scene.documents.saveAs(other, scene.uri("a.txt"), true)).rejects.toThrow(
      "not an ordinary file",
    );
  });

  it("is shown read-only where some bytes mean nothing, and never written back", async () => {
    await using scene = await DocumentsScene.open();
    const bytes = Buffer.from([0x61, 0xe9, 0x62, 0x0a]);
    const uri = await scene.show("latin1.txt", bytes);
    expect(scene.text(uri)).toBe("a\ufffdb\n");
    expect(scene.info(uri)?.readOnly).toMatch(/cannot be edited/);
    const { epoch, version } = scene.documents.get(uri)!.shared;
    expect(() =>
      scene.texts.handlers["text.push"](
        { name: uri, epoch, version, updates: [{ clientID: "w", changes: [4, [0, "x"]] }] },
        window,
      ),
    ).toThrow(/cannot be edited/);
    expect(() => scene.documents.setLineEnds(uri, "crlf")).toThrow();
    await scene.documents.save(uri, true);
    await expect(scene.documents.saveAs(uri, scene.uri("copy"), false)).rejects.toThrow();
    expect(await scene.bytes("latin1.txt")).toEqual(bytes);
    expect(await readdir(scene.folder)).toEqual(["latin1.txt"]);
  });
});

describe("hostile names", () => {
  it("open, are saved, and are shown without marks that would disguise them", async () => {
    await using scene = await DocumentsScene.open();
    const names = ["two\nlines.txt", "evil\u202etxt.exe", "\u001b[31mred", "%2e%2e", " ", "<img>"];
    for (const name of names) {
      const uri = await scene.show(name, "one");
      scene.documents.edit(uri, { from: 3, insert: "!" });
      await scene.documents.save(uri);
      expect(await scene.read(name)).toBe("one!");
      const label = scene.info(uri)?.label ?? "";
      expect(printable(label)).toBe(label);
    }
    expect((await readdir(scene.folder)).sort()).toEqual([...names].sort());
  });

  it("for one file are one document", async () => {
    await using scene = await DocumentsScene.open();
    await mkdir(scene.path("deep"));
    const uri = await scene.show("a.txt", "one");
    await scene.documents.show(fileUri(`${scene.folder}/deep/..//a.txt`), false);
    expect(scene.store.state.tabs).toEqual([{ uri, preview: false }]);
  });

  it("of other schemes are refused by every call", async () => {
    await using scene = await DocumentsScene.open();
    const uri = scene.documents.create();
    for (const name of ["http://a/b", "untitled:x", "proposal:1", "file:///a\0b"] as Uri[]) {
      await expect(scene.documents.show(name, false)).rejects.toThrow();
      await expect(scene.documents.saveAs(uri, name, true)).rejects.toThrow();
      await expect(scene.documents.save(name)).rejects.toThrow("is not open");
      expect(await scene.documents.close(name, true)).toBe("absent");
    }
  });
});

describe("malformed edits from a window", () => {
  it("change nothing, in the text, on disk and in the journal", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    const { epoch } = scene.documents.get(uri)!.shared;
    const push = (changes: unknown[]) =>
      scene.texts.handlers["text.push"](
        { name: uri, epoch, version: 0, updates: [{ clientID: "w", changes }] },
        window,
      );
    for (const changes of [[4], [-1], ["x"], [[0, 1]], [2, [0, "x"]], [null], [{}], [3, [1]]]) {
      expect(() => push(changes)).toThrow();
    }
    expect(scene.text(uri)).toBe("one");
    expect(scene.info(uri)?.dirty).toBe(false);
    expect(await readdir(scene.journal)).toEqual(["tabs.json"]);
  });
});

describe("large documents", () => {
  it("of 50 MB open", async () => {
    await using scene = await DocumentsScene.open();
    const line = `${"x".repeat(79)}\n`;
    await writeFile(scene.path("large"), line.repeat((50 * 1024 * 1024) / 80));
    await scene.documents.show(scene.uri("large"), false);
    expect(scene.info(scene.uri("large"))?.size).toBe(50 * 1024 * 1024);
  });

  it("of 1 MB take a keystroke in well under a millisecond", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", `${"x".repeat(79)}\r\n`.repeat(13_000));
    const times: number[] = [];
    for (let n = 0; n < 300; n++) {
      const start = performance.now();
      scene.documents.edit(uri, { from: 500_000 + n, insert: "y" });
      times.push(performance.now() - start);
    }
    const median = times.sort((a, b) => a - b)[150] ?? Number.NaN;
    expect(median).toBeLessThan(0.5);
  });
});

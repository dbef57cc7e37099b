import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
} from "node:fs/promises";
import { describe, expect, it, vi } from "vitest";
import {
  titled,
  UNSHARE,
  whyNoMounts,
  whyNoOtherUser,
} from "../../../server/test/attacks/needs.js";
import { DocumentsProcess } from "./process.js";
import { DocumentsScene } from "./scene.js";

describe("a save", () => {
  it("keeps the mode of the file", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("run.sh", "#!/bin/sh\n");
    await chmod(scene.path("run.sh"), 0o750);
    scene.documents.edit(uri, { from: 0, insert: "#" });
    await scene.documents.save(uri);
    expect((await stat(scene.path("run.sh"))).mode & 0o7777).toBe(0o750);
  });

  it("through a link writes the file that it leads to, and the link stays", async () => {
    await using scene = await DocumentsScene.open();
    await mkdir(scene.path("deep"));
    await scene.write("deep/real.txt", "one");
    await symlink("deep/real.txt", scene.path("link.txt"));
    const uri = scene.uri("link.txt");
    await scene.documents.show(uri, false);
    scene.documents.edit(uri, { from: 3, insert: "!" });
    await scene.documents.save(uri);
    expect(await readlink(scene.path("link.txt"))).toBe("deep/real.txt");
    expect(await scene.read("deep/real.txt")).toBe("one!");
    expect(await readdir(scene.path("deep"))).toEqual(["real.txt"]);
  });

  it("under the name of a link to nothing makes the file that it leads to", async () => {
    await using scene = await DocumentsScene.open();
    await symlink("later.txt", scene.path("link.txt"));
    const uri = scene.documents.create();
    await scene.documents.saveAs(uri, scene.uri("link.txt"), false);
    expect((await lstat(scene.path("link.txt"))).isSymbolicLink()).toBe(true);
    expect(await scene.read("later.txt")).toBe("");
  });

  it("keeps the other names of a file", async () => {
    await using scene = await DocumentsScene.open();
    await scene.write("a.txt", "a long first text");
    await link(scene.path("a.txt"), scene.path("b.txt"));
    const uri = scene.uri("a.txt");
    await scene.documents.show(uri, false);
    scene.documents.edit(uri, { from: 0, to: 17, insert: "short" });
    await scene.documents.save(uri);
    expect(await scene.read("b.txt")).toBe("short");
    expect((await stat(scene.path("a.txt"))).nlink).toBe(2);
    expect(await readdir(scene.journal)).toEqual(["tabs.json"]);
  });

  it("in place is not begun where both texts cannot be kept safe meanwhile", async () => {
    await using scene = await DocumentsScene.open();
    await scene.write("a.txt", "one");
    await link(scene.path("a.txt"), scene.path("b.txt"));
    const uri = scene.uri("a.txt");
    await scene.documents.show(uri, false);
    scene.documents.edit(uri, { from: 3, insert: "!" });
    await rm(scene.journal, { recursive: true });
    await expect(scene.documents.save(uri)).rejects.toThrow("can only be written in place");
    expect(await scene.read("b.txt")).toBe("one");
    expect(scene.text(uri)).toBe("one!");
  });

  it("comes by itself after a pause in typing, if the settings say so", async () => {
    await using scene = await DocumentsScene.open();
    scene.settings = { ...scene.settings, autoSave: "afterDelay" };
    const uri = await scene.show("a.txt", "one");
    scene.documents.edit(uri, { from: 3, insert: "!" });
    await vi.waitFor(async () => expect(await scene.read("a.txt")).toBe("one!"), 5_000);
    await vi.waitFor(() => expect(scene.info(uri)?.dirty).toBe(false));
  });

  it("leaves what was typed meanwhile unsaved", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    scene.documents.edit(uri, { from: 3, insert: " two" });
    await scene.idle();
    const saving = scene.documents.save(uri);
    await Promise.resolve();
    scene.documents.edit(uri, { from: 7, insert: " three" });
    await saving;
    expect(await scene.read("a.txt")).toBe("one two");
    expect(scene.info(uri)?.dirty).toBe(true);
    await scene.start();
    expect(scene.text(uri)).toBe("one two three");
    expect(scene.info(uri)).toMatchObject({ dirty: true, clash: null });
    await scene.documents.save(uri);
    expect(await scene.read("a.txt")).toBe("one two three");
  });

  it("waits for the one before", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "");
    const saves: Promise<void>[] = [];
    for (let n = 0; n < 20; n++) {
      scene.documents.edit(uri, { from: 0, insert: "x" });
      saves.push(scene.documents.save(uri));
    }
    await Promise.all(saves);
    expect(await scene.read("a.txt")).toBe("x".repeat(20));
    expect(scene.info(uri)).toMatchObject({ dirty: false, trouble: null, clash: null });
  });

  it("of all says which could not be saved", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "");
    const untitled = scene.documents.create();
    for (const one of [uri, untitled]) scene.documents.edit(one, { from: 0, insert: "x" });
    expect(await scene.documents.saveAll()).toEqual([untitled]);
    expect(await scene.read("a.txt")).toBe("x");
  });

  it("into a folder that is gone says so, and keeps the edit", async () => {
    await using scene = await DocumentsScene.open();
    await mkdir(scene.path("deep"));
    const uri = await scene.show("deep/a.txt", "one");
    scene.documents.edit(uri, { from: 3, insert: "!" });
    await rm(scene.path("deep"), { recursive: true });
    await expect(scene.documents.save(uri)).rejects.toThrow("folder");
    expect(scene.text(uri)).toBe("one!");
    expect(scene.info(uri)?.trouble).toContain("not there any more");
    await mkdir(scene.path("deep"));
    await scene.documents.save(uri, true);
    expect(await scene.read("deep/a.txt")).toBe("one!");
    expect(scene.info(uri)).toMatchObject({ dirty: false, trouble: null });
  });

  it("writes half a character as the mark for a broken one, and shows it", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "");
    scene.documents.edit(uri, { from: 0, insert: "a\ud83d" });
    await scene.documents.save(uri);
    expect(await scene.read("a.txt")).toBe("a\ufffd");
    expect(scene.text(uri)).toBe("a\ufffd");
  });
});

const noOtherUser = whyNoOtherUser();
describe.skipIf(noOtherUser)(titled("a save by another user", noOtherUser), () => {
  const OTHER = 12_345;

  async function lend(scene: DocumentsScene): Promise<void> {
    await scene.documents[Symbol.asyncDispose]();
    await chmod(scene.home, 0o777);
    await rm(scene.stateDir, { recursive: true });
    await mkdir(scene.stateDir);
    await chown(scene.stateDir, OTHER, OTHER);
  }

  it("writes in place where the folder takes no file, and where the owner cannot be given", async () => {
    await using scene = await DocumentsScene.open();
    await lend(scene);
    const path = scene.path("a.txt");
    for (const folderMode of [0o755, 0o777]) {
      await scene.write("a.txt", "a long first text");
      await chmod(path, 0o666);
      await chmod(scene.folder, folderMode);
      const before = await stat(path);
      await using process = await DocumentsProcess.start({ ...place(scene), uid: OTHER });
      await process.tell({ kind: "show", path });
      await process.tell({ kind: "type", path, text: "new" });
      expect(await process.tell({ kind: "save", path })).toMatchObject({ problem: null });
      expect(await scene.read("a.txt")).toBe("new");
      expect(await stat(path)).toMatchObject({ ino: before.ino, uid: before.uid });
      expect(await readdir(scene.folder)).toEqual(["a.txt"]);
    }
  });

  it("is refused for a file that may not be written, in words that say what to do", async () => {
    await using scene = await DocumentsScene.open();
    await lend(scene);
    await chmod(scene.folder, 0o777);
    const path = scene.path("a.txt");
    await scene.write("a.txt", "one");
    await using process = await DocumentsProcess.start({ ...place(scene), uid: OTHER });
    await process.tell({ kind: "show", path });
    await process.tell({ kind: "type", path, text: "new" });
    const { problem, info } = await process.tell({ kind: "save", path });
    expect(problem).toContain("Change its permissions");
    expect(info).toMatchObject({ dirty: true, trouble: problem });
    expect(await scene.read("a.txt")).toBe("one");
  });

  it("of root keeps the owner of the file", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.show("a.txt", "one");
    await chown(scene.path("a.txt"), OTHER, OTHER);
    scene.documents.edit(uri, { from: 0, insert: "x" });
    await scene.documents.save(uri);
    expect(await stat(scene.path("a.txt"))).toMatchObject({ uid: OTHER, gid: OTHER });
  });
});

const noMounts = whyNoMounts();
describe.skipIf(noMounts)(titled("a disk that takes nothing", noMounts), () => {
  const onto = (folder: string, options: string, then: string) => [
    ...UNSHARE,
    "sh",
    "-c",
    `mount -t tmpfs -o ${options} tmpfs "$0" && { ${then}; exec "$@"; }`,
    folder,
  ];

  it("because it is full: the edit stays, the words say what to do, the file is whole", async () => {
    await using scene = await DocumentsScene.open();
    await scene.documents[Symbol.asyncDispose]();
    const path = scene.path("a.txt");
    const then = 'printf one > "$0/a.txt"';
    await using process = await DocumentsProcess.start(
      place(scene),
      onto(scene.folder, "size=64k", then),
    );
    await process.tell({ kind: "show", path });
    await process.tell({ kind: "type", path, text: "x".repeat(200_000) });
    const { problem, info } = await process.tell({ kind: "save", path });
    expect(problem).toContain("the disk is full");
    expect(info).toMatchObject({ dirty: true, trouble: problem });
    await process.tell({ kind: "type", path, text: "y".repeat(60_000) });
    expect(await process.tell({ kind: "save", path })).toMatchObject({
      problem: null,
      info: { dirty: false, trouble: null },
    });
  });

  it("because it is read-only", async () => {
    await using scene = await DocumentsScene.open();
    await scene.documents[Symbol.asyncDispose]();
    const path = scene.path("a.txt");
    const then = 'printf one > "$0/a.txt"; mount -o remount,ro "$0"';
    await using process = await DocumentsProcess.start(
      place(scene),
      onto(scene.folder, "size=64k", then),
    );
    await process.tell({ kind: "show", path });
    await process.tell({ kind: "type", path, text: "two" });
    const { problem, info } = await process.tell({ kind: "save", path });
    expect(problem).toContain("read-only");
    expect(info).toMatchObject({ dirty: true, trouble: problem });
  });

  it("where the journal is: the edit stays in memory, and a notice says so", async () => {
    await using scene = await DocumentsScene.open();
    await scene.documents[Symbol.asyncDispose]();
    const path = scene.path("a.txt");
    await scene.write("a.txt", "one");
    await using process = await DocumentsProcess.start(
      place(scene),
      onto(await realpath(scene.stateDir), "size=64k", ":"),
    );
    await process.tell({ kind: "show", path });
    const typed = await process.tell({ kind: "type", path, text: "x".repeat(200_000) });
    expect(typed).toMatchObject({ problem: null, info: { dirty: true } });
    expect(typed.notices).toEqual([expect.stringContaining("cannot be kept safe")]);
    const saved = await process.tell({ kind: "save", path });
    expect(saved).toMatchObject({ problem: null, notices: [] });
    expect(await readFile(path, "utf8")).toBe("x".repeat(200_000));
  });
});

const place = ({ folder, stateDir }: DocumentsScene) => ({ folder, stateDir });

it("Saving under the name of another document gives up nothing that is typed into that one meanwhile", async () => {
  await using scene = await DocumentsScene.open();
  const [a, b] = [await scene.show("a.txt", "one"), await scene.show("b.txt", "two")];
  scene.documents.edit(a, { from: 3, insert: "!" });
  const saving = scene.documents.saveAs(a, b, true);
  // The save has begun, and is still writing.
  await new Promise((resolve) => setImmediate(resolve));
  scene.documents.edit(b, { from: 3, insert: "?" });
  await expect(saving).rejects.toThrow("b.txt has unsaved edits");
  expect(scene.text(b)).toBe("two?");
  expect(scene.info(b)?.dirty).toBe(true);
  expect(scene.info(a)?.dirty).toBe(true);
});

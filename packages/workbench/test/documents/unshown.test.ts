import { execFileSync } from "node:child_process";
import { mkdir, rename, rm, symlink, truncate } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { DocumentsScene } from "./scene.js";

const PNG = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");

const unshown = (scene: DocumentsScene, name: string) =>
  scene.store.state.tabs.find(({ uri }) => uri === scene.uri(name))?.unshown;

describe("a file that cannot be shown", () => {
  it("has a tab that says what it is, and why", async () => {
    await using scene = await DocumentsScene.open();
    await scene.write("program", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]));
    await scene.write("large", "PK\x03\x04");
    await truncate(scene.path("large"), 50 * 1024 * 1024 + 1);
    execFileSync("mkfifo", [scene.path("pipe")]);
    await symlink("loop", scene.path("loop"));
    for (const name of ["program", "large", "pipe", "loop", "absent"]) {
      await scene.documents.showAny(scene.uri(name), false);
    }
    const binary = { reason: "binary", what: "program", size: 5, picture: null };
    expect(unshown(scene, "program")).toMatchObject({ label: "program", place: "", ...binary });
    const large = { reason: "large", what: "ZIP archive", size: 50 * 1024 * 1024 + 1 };
    expect(unshown(scene, "large")).toMatchObject(large);
    expect(unshown(scene, "pipe")).toMatchObject({ reason: "special", size: null });
    expect(unshown(scene, "loop")).toMatchObject({
      reason: "unreadable",
      why: expect.stringContaining("leads back to itself"),
    });
    expect(unshown(scene, "absent")).toMatchObject({
      reason: "absent",
      why: expect.stringContaining("There is no file"),
    });
    expect(scene.documents.list()).toEqual([]);
    await mkdir(scene.path("folder"));
    await expect(scene.documents.showAny(scene.uri("folder"), false)).rejects.toThrow("folder");
    expect(scene.tabs()).toEqual(["program", "large", "pipe", "loop", "absent"]);
  });

  it("is a preview as others are, and can be kept, moved and closed", async () => {
    await using scene = await DocumentsScene.open();
    const [a, b] = [await scene.write("a", "a"), await scene.write("b", "\0")];
    await scene.documents.showAny(a, true);
    await scene.documents.showAny(b, true);
    expect(scene.tabs()).toEqual(["b"]);
    await scene.documents.showAny(a, true);
    expect(scene.tabs()).toEqual(["a"]);
    await scene.documents.showAny(b, false);
    scene.documents.moveTab(b, 0);
    expect(scene.tabs()).toEqual(["b", "a"]);
    await scene.documents.showAny(b, true);
    expect(scene.store.state.tabs[0]).toMatchObject({ uri: b, preview: false });
    await scene.documents.close(b, false);
    expect(scene.tabs()).toEqual(["a"]);
  });

  it("is shown as soon as it can be, and goes when it is gone", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.write("a", "\0");
    await scene.documents.showAny(uri, true);
    await scene.documents.showAny(scene.uri("later"), false);
    await scene.write("a", "text");
    await scene.write("later", "here");
    await scene.documents.noticeDisk([scene.path("a"), scene.path("later")]);
    expect(scene.store.state.tabs).toEqual([
      { uri, preview: true },
      { uri: scene.uri("later"), preview: false },
    ]);
    expect(scene.text(uri)).toBe("text");

    const gone = await scene.write("gone", "\0");
    await scene.documents.showAny(gone, false);
    await rm(scene.path("gone"));
    await scene.documents.noticeDisk([scene.path("gone")]);
    expect(unshown(scene, "gone")).toBeUndefined();
  });

  it("does not become an empty text while it is written anew", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.write("logo.png", PNG);
    await scene.documents.showAny(uri, false);
    await scene.write("logo.png", "");
    const noticed = scene.documents.noticeDisk([scene.path("logo.png")]);
    // Between the two, a program that writes a file anew is at work.
    await delay(20);
    await scene.write("logo.png", Buffer.concat([PNG, PNG]));
    await noticed;
    expect(scene.documents.list()).toEqual([]);
    expect(unshown(scene, "logo.png")).toMatchObject({ size: PNG.length * 2 });
  });

  it("keeps its tab under a new name, and over a restart", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.write("a.png", PNG);
    await scene.documents.showAny(uri, false);
    await rename(scene.path("a.png"), scene.path("b.png"));
    await scene.documents.moved(uri, scene.uri("b.png"));
    expect(unshown(scene, "b.png")).toMatchObject({ label: "b.png", what: "PNG image" });
    await scene.start();
    expect(unshown(scene, "b.png")).toMatchObject({ label: "b.png", what: "PNG image" });
  });

  it("is given to the page only as a picture, by its bytes, while it has a tab", async () => {
    await using scene = await DocumentsScene.open();
    const uri = await scene.write("a.txt", PNG);
    expect(await scene.documents.picture(uri)).toBeNull();
    await scene.documents.showAny(uri, false);
    expect(unshown(scene, "a.txt")?.picture).toContain(encodeURIComponent(uri));
    expect(await scene.documents.picture(uri)).toEqual({ type: "image/png", bytes: PNG });
    // The watcher has not told of it yet.
    await scene.write("a.txt", "<script>alert(1)</script>");
    expect(await scene.documents.picture(uri)).toBeNull();
    const page = await scene.write("fake.png", "<html>\0");
    await scene.documents.showAny(page, false);
    expect(await scene.documents.picture(page)).toBeNull();
  });
});

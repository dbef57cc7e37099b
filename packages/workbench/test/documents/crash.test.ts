import { randomInt } from "node:crypto";
import { link, readdir, readFile, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { DocumentsProcess } from "./process.js";
import { DocumentsScene } from "./scene.js";

const SIZE = 200_000;

/** One digit over and over: anything else is half of one save and half of another. */
function isWhole(text: string): boolean {
  return text.length === SIZE && text === text.charAt(0).repeat(SIZE);
}

describe("kill -9", () => {
  it("at any moment of a save leaves the old or the new file, and no litter after the next start", async () => {
    await using scene = await DocumentsScene.open();
    await scene.documents[Symbol.asyncDispose]();
    await writeFile(scene.path("a.txt"), "x".repeat(SIZE));
    const path = scene.path("a.txt");
    for (let round = 0; round < 6; round++) {
      await using process = await DocumentsProcess.start(place(scene));
      await process.tell({ kind: "show", path });
      process.begin({ kind: "save without end", path, text: "x".repeat(SIZE) });
      // The moment is what is tried here, so any is as good as another.
      await delay(randomInt(5, 120));
      await process.kill();
      expect(isWhole(await scene.read("a.txt"))).toBe(true);
    }
    await scene.start();
    expect(await readdir(scene.folder)).toEqual(["a.txt"]);
    const uri = scene.uri("a.txt");
    expect(isWhole(scene.text(uri) ?? "")).toBe(true);
    expect(scene.reported).toEqual([]);
  }, 60_000);

  it("while a file with two names is written in place: the next start makes it whole", async () => {
    await using scene = await DocumentsScene.open();
    await scene.documents[Symbol.asyncDispose]();
    const path = scene.path("a.txt");
    await writeFile(path, "x".repeat(SIZE));
    await link(path, scene.path("b.txt"));
    for (let round = 0; round < 4; round++) {
      await using process = await DocumentsProcess.start(place(scene));
      await process.tell({ kind: "show", path });
      process.begin({ kind: "save without end", path, text: "x".repeat(SIZE) });
      await delay(randomInt(5, 120));
      await process.kill();
      await scene.start();
      expect(isWhole(await scene.read("a.txt"))).toBe(true);
      expect(await scene.read("b.txt")).toBe(await scene.read("a.txt"));
      await scene.documents[Symbol.asyncDispose]();
    }
  }, 60_000);

  it("with unsaved edits loses none of them", async () => {
    await using scene = await DocumentsScene.open();
    await scene.documents[Symbol.asyncDispose]();
    const path = scene.path("a.txt");
    await writeFile(path, "saved\n");
    await using process = await DocumentsProcess.start(place(scene));
    await process.tell({ kind: "show", path });
    await process.tell({ kind: "type", path, text: "unsaved\n" });
    await process.kill();
    expect(await readFile(path, "utf8")).toBe("saved\n");
    await scene.start();
    expect(scene.text(scene.uri("a.txt"))).toBe("unsaved\n");
    expect(scene.info(scene.uri("a.txt"))).toMatchObject({ dirty: true, clash: null });
  });
});

const place = ({ folder, stateDir }: DocumentsScene) => ({ folder, stateDir });

import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHalfWritten, Rescues } from "../../src/documents/rescue.js";
import { DocumentsScene } from "./scene.js";

const bytes = fc.uint8Array({ maxLength: 12, max: 2 }).map((array) => Buffer.from(array));

describe("a write in place that a crash cut short", () => {
  it("is known wherever it was cut, and is not taken for what another program wrote", () => {
    fc.assert(
      fc.property(bytes, bytes, fc.nat(12), (before, after, cut) => {
        const written = Math.min(cut, after.length);
        const now = Buffer.concat([after.subarray(0, written), before.subarray(written)]);
        expect(isHalfWritten(now, before, after)).toBe(!now.equals(before));
        expect(isHalfWritten(Buffer.concat([now, Buffer.from([9])]), before, after)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is finished by the next start", async () => {
    await using scene = await DocumentsScene.open();
    const path = scene.path("a.txt");
    const [before, after] = [Buffer.from("a long old text"), Buffer.from("the new text")];
    await new Rescues(scene.journal).noteWrite(path, before, after);
    await writeFile(path, "the ng old text");
    await scene.start();
    expect(await scene.read("a.txt")).toBe("the new text");
    expect(await readdir(scene.journal)).toEqual(["tabs.json"]);
  });

  it("is left alone where it was not begun, or the file was written since", async () => {
    await using scene = await DocumentsScene.open();
    const path = scene.path("a.txt");
    const [before, after] = [Buffer.from("a long old text"), Buffer.from("the new text")];
    for (const now of ["a long old text", "the work of an agent"]) {
      await new Rescues(scene.journal).noteWrite(path, before, after);
      await writeFile(path, now);
      await scene.start();
      expect(await scene.read("a.txt")).toBe(now);
    }
  });

  it("is not attempted from a note that is itself torn", async () => {
    await using scene = await DocumentsScene.open();
    const path = scene.path("a.txt");
    const head = JSON.stringify({ path, before: 3, hash: "0" });
    await writeFile(join(scene.journal, "torn.rescue"), `${head}\noldnew`);
    await writeFile(join(scene.journal, "garbage.rescue"), "garbage");
    await writeFile(path, "nld");
    await scene.start();
    expect(await scene.read("a.txt")).toBe("nld");
    expect(scene.reported).toEqual([]);
  });
});

describe("a draft that a crash left beside its file", () => {
  it("is removed by the next start; nothing else is, whatever the note says", async () => {
    await using scene = await DocumentsScene.open();
    const rescues = new Rescues(scene.journal);
    for (const name of [".lockstep-0123456789ab", "precious.txt", ".lockstep-notes"]) {
      await scene.write(name, "x");
      await rescues.noteDraft(scene.path(name));
    }
    await scene.start();
    expect((await readdir(scene.folder)).sort()).toEqual([".lockstep-notes", "precious.txt"]);
    expect(await readdir(scene.journal)).toEqual(["tabs.json"]);
  });
});

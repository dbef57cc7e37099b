import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileUri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { NEW, OLD, ReviewScene, settled } from "./scene.js";

describe("a file that changes under its proposal", () => {
  it("carries the hunks along where nothing meets", async () => {
    await using scene = await ReviewScene.open();
    const { id, path, review } = await scene.propose();
    scene.snapshot(id);
    const changed = OLD.replace("three", "three\nand more");
    await writeFile(path, changed);
    await scene.reviews.noticeDisk([path]);
    expect(scene.info(id)).toMatchObject({ moved: true, tally: { conflicts: 0, pending: 2 } });
    expect(scene.window.last("review.base")).toEqual({ id, base: changed, moves: 1 });
    const text = NEW.replace("three", "three\nand more");
    expect(scene.shown(id)).toBe(text);
    // A scene.window that has not heard of it yet does not know what it would accept.
    const blind = scene.accept(id, 0);
    await expect(blind).rejects.toThrow("changed a moment ago");
    await scene.accept(id, 1);
    expect(await review.outcome).toEqual({ kind: "accepted", text });
  });

  it("is a conflict where both changed, and accepting is refused until it is decided", async () => {
    await using scene = await ReviewScene.open();
    const { id, path, review } = await scene.propose();
    await writeFile(path, OLD.replace("one", "uno"));
    await scene.reviews.noticeDisk([path]);
    expect(scene.info(id)?.tally).toMatchObject({ conflicts: 1, pending: 1 });
    expect(scene.shown(id)).toBe("uno\ntwo\nthree\nfour\nFIVE\n");
    await expect(scene.accept(id)).rejects.toThrow(/keep or drop/);
    expect(await settled(review)).toBeNull();
    scene.decide(id, 0, "dropped");
    await scene.accept(id);
    expect(await review.outcome).toMatchObject({ text: "uno\ntwo\nthree\nfour\nFIVE\n" });
  });

  it("is found out by accepting, even if nobody noticed it before", async () => {
    await using scene = await ReviewScene.open();
    const { id, path, review } = await scene.propose();
    await writeFile(path, OLD.replace("two", "due"));
    await expect(scene.accept(id)).rejects.toThrow(/a moment ago/);
    expect(await settled(review)).toBeNull();
    expect(scene.info(id)?.moved).toBe(true);
  });

  it("is noticed when its whole folder is named", async () => {
    await using scene = await ReviewScene.open();
    const { id, path } = await scene.propose();
    await rm(path);
    await scene.reviews.noticeDisk([scene.folder]);
    expect(scene.info(id)?.moved).toBe(true);
  });

  it("shows that its document has unsaved edits", async () => {
    await using scene = await ReviewScene.open();
    const { id, uri } = await scene.propose();
    scene.documents.add(uri, "typed", true);
    scene.reviews.noticeDocuments();
    expect(scene.info(id)?.dirty).toBe(true);
  });
});

describe("a merge of the person's own edits", () => {
  const MINE = "one\ntwo\nthree\nfour\nmine\n";

  async function merging(scene: ReviewScene, theirs: string) {
    const path = join(scene.folder, "merged.ts");
    const uri = fileUri(path);
    await writeFile(path, theirs);
    scene.documents.add(uri, MINE, true);
    scene.reviews.openMerge({ uri, base: OLD, mine: MINE, theirs });
    const [id = ""] = Object.keys(scene.store.state.proposals);
    return { id, uri };
  }

  it("is in the queue as one, and its result is written into the document", async () => {
    await using scene = await ReviewScene.open();
    const { id, uri } = await merging(scene, OLD.replace("one", "theirs"));
    expect(scene.info(id)).toMatchObject({ kind: "merge", dirty: true, moved: true });
    await scene.accept(id);
    expect(scene.documents.get(uri)?.shared.toString()).toBe("theirs\ntwo\nthree\nfour\nmine\n");
    expect(scene.info(id)).toBeUndefined();
  });

  it("asks where both changed the same", async () => {
    await using scene = await ReviewScene.open();
    const { id, uri } = await merging(scene, OLD.replace("five", "theirs"));
    await expect(scene.accept(id)).rejects.toThrow(/keep or drop/);
    scene.decide(id, 0, "kept");
    await scene.accept(id);
    expect(scene.documents.get(uri)?.shared.toString()).toBe(MINE);
  });

  it("leaves everything as it was when it is dismissed", async () => {
    await using scene = await ReviewScene.open();
    const { id, uri } = await merging(scene, OLD.replace("one", "theirs"));
    scene.dismiss(id);
    expect(scene.documents.get(uri)?.shared.toString()).toBe(MINE);
    expect(scene.store.state.proposals).toEqual({});
  });

  it("does not overwrite what was typed into the document meanwhile", async () => {
    await using scene = await ReviewScene.open();
    const { id, uri } = await merging(scene, OLD.replace("one", "theirs"));
    scene.documents.edit(uri, { from: 0, insert: "more " });
    await expect(scene.accept(id)).rejects.toThrow(/merge again/);
    expect(scene.documents.get(uri)?.shared.toString()).toBe(`more ${MINE}`);
    expect(scene.info(id)).toBeDefined();
  });
});

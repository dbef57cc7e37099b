import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NEW, OLD, ReviewScene } from "./scene.js";

describe("drafts", () => {
  const drafts = ({ stateDir }: ReviewScene) => readdir(join(stateDir, "drafts"));

  it("come back after a crash with decisions and edits, as orphaned", async () => {
    await using scene = await ReviewScene.open();
    const { id } = await scene.propose();
    scene.decide(id, 1, "dropped");
    scene.type(id, 0, 0, "mine ");
    await expect.poll(async () => JSON.stringify(await kept(scene, id))).toContain("mine ONE");
    await scene.restart();
    expect(scene.info(id)).toMatchObject({ kind: "orphaned", tally: { edited: 1, dropped: 1 } });
    expect(scene.shown(id)).toBe("mine ONE\ntwo\nthree\nfour\nfive\n");
    expect(scene.snapshot(id).base).toBe(OLD);
  });

  it("have what was typed before the pause that ends a step", async () => {
    await using scene = await ReviewScene.open();
    const { id } = await scene.propose();
    scene.decide(id, 1, "dropped");
    scene.type(id, 0, 0, "half a w");
    await expect.poll(async () => JSON.stringify(await kept(scene, id))).toContain("half a wONE");
    const draft = await kept(scene, id);
    expect(draft.shown).toBe("half a wONE\ntwo\nthree\nfour\nfive\n");
    expect(draft.hunks.map(({ decision }: { decision: string }) => decision)).toEqual([
      "edited",
      "dropped",
    ]);
  });

  it("are for this user only, and gone when the proposal is answered", async () => {
    await using scene = await ReviewScene.open();
    const { id } = await scene.propose();
    await expect.poll(() => drafts(scene)).toEqual([`${id}.json`]);
    const { mode } = await stat(join(scene.stateDir, "drafts", `${id}.json`));
    expect(mode & 0o777).toBe(0o600);
    await scene.accept(id);
    await expect.poll(() => drafts(scene)).toEqual([]);
  });

  it("of the person's are not pushed out by those that an agent leaves", async () => {
    await using scene = await ReviewScene.open();
    const { id } = await scene.propose();
    scene.decide(id, "rest", "dropped");
    for (let more = 0; more < 60; more++) await scene.propose();
    await scene.reviews[Symbol.asyncDispose]();
    await scene.restart();
    expect(Object.keys(scene.store.state.proposals)).toHaveLength(50);
    expect(scene.info(id)).toMatchObject({ kind: "orphaned", tally: { dropped: 2 } });
  });

  it("that cannot be read are set aside, and old ones are removed", async () => {
    await using scene = await ReviewScene.open();
    const at = join(scene.stateDir, "drafts");
    await writeFile(join(at, "broken.json"), '{"format":1,');
    await writeFile(join(at, "foreign.json"), '{"format":1,"id":"x"}');
    await writeFile(join(at, "old.json"), "{}");
    const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1_000);
    await utimes(join(at, "old.json"), longAgo, longAgo);
    await scene.restart();
    expect(scene.store.state.proposals).toEqual({});
    expect((await drafts(scene)).sort()).toEqual([
      "broken.json.unreadable",
      "foreign.json.unreadable",
    ]);
    expect(scene.problems).toHaveLength(2);
  });

  it("whose hunks do not fit their base are compared anew", async () => {
    await using scene = await ReviewScene.open();
    const { id } = await scene.propose();
    await expect.poll(() => drafts(scene)).toEqual([`${id}.json`]);
    const draft = await kept(scene, id);
    draft.hunks[0].to = 99;
    await writeFile(join(scene.stateDir, "drafts", `${id}.json`), JSON.stringify(draft));
    await scene.restart();
    expect(scene.info(id)?.tally).toMatchObject({ pending: 2 });
    expect(scene.shown(id)).toBe(NEW);
  });

  const kept = async ({ stateDir }: ReviewScene, id: string) =>
    JSON.parse(await readFile(join(stateDir, "drafts", `${id}.json`), "utf8").catch(() => "null"));
});

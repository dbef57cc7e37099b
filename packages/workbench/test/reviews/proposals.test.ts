import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileUri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { AGENT, NEW, OLD, ReviewScene, settled } from "./scene.js";

describe("a proposal", () => {
  it("is in the queue with its hunks counted", async () => {
    await using scene = await ReviewScene.open();
    const { id } = await scene.propose();
    expect(scene.info(id)).toMatchObject({
      kind: "waiting",
      agent: AGENT,
      label: "file-1.ts",
      place: "",
      languageId: "typescript",
      newFile: false,
      moved: false,
      tally: { pending: 2, kept: 0, dropped: 0, edited: 0, conflicts: 0, added: 2, removed: 2 },
      canUndo: false,
    });
  });

  it("is accepted with what is pending, and never written", async () => {
    await using scene = await ReviewScene.open();
    const { id, path, review } = await scene.propose();
    await scene.accept(id);
    expect(await review.outcome).toEqual({ kind: "accepted", text: NEW });
    expect(scene.info(id)).toBeUndefined();
    expect(await readFile(path, "utf8")).toBe(OLD);
  });

  it("is accepted without what was dropped", async () => {
    await using scene = await ReviewScene.open();
    const { id, review } = await scene.propose();
    scene.decide(id, 0, "dropped");
    expect(scene.shown(id)).toBe("one\ntwo\nthree\nfour\nFIVE\n");
    await scene.accept(id);
    expect(await review.outcome).toMatchObject({ text: "one\ntwo\nthree\nfour\nFIVE\n" });
  });

  it("of which all is dropped is rejected", async () => {
    await using scene = await ReviewScene.open();
    const { id, review } = await scene.propose();
    scene.decide(id, "rest", "dropped");
    await scene.accept(id);
    expect(await review.outcome).toEqual({ kind: "rejected" });
  });

  it("of a new file shows no removed line, and is accepted whole", async () => {
    await using scene = await ReviewScene.open();
    const { id, review } = await scene.propose(null, "a\nb\n");
    expect(scene.info(id)).toMatchObject({ newFile: true, tally: { added: 2, removed: 0 } });
    await scene.accept(id);
    expect(await review.outcome).toEqual({ kind: "accepted", text: "a\nb\n" });
  });

  it("is rejected with a reason, and the answer says where the reason went", async () => {
    await using scene = await ReviewScene.open();
    const first = await scene.propose();
    expect(scene.reject(first.id, " not like this ")).toEqual({ reason: "typed" });
    expect(await first.review.outcome).toEqual({ kind: "rejected", reason: "not like this" });
    expect(scene.reasons).toEqual(["not like this"]);
    const second = await scene.propose();
    expect(scene.reject(second.id)).toEqual({ reason: "none" });
    expect(await second.review.outcome).toEqual({ kind: "rejected" });
  });

  it("is answered once", async () => {
    await using scene = await ReviewScene.open();
    const { id } = await scene.propose();
    await scene.accept(id);
    await expect(scene.accept(id)).rejects.toThrow(/not open any more/);
  });

  it("cannot be dismissed while the agent waits", async () => {
    await using scene = await ReviewScene.open();
    const { id } = await scene.propose();
    expect(() => scene.dismiss(id)).toThrow(/accept or reject/);
    expect(scene.info(id)).toBeDefined();
  });
});

describe("a proposal that disguises itself", () => {
  it("is shown under a name that nothing in it turns, and by an agent whose name is short", async () => {
    await using scene = await ReviewScene.open();
    const path = join(scene.folder, "a\u202e\n/cod.\u2066exe");
    const proposal = {
      id: "p",
      uri: fileUri(path),
      label: "",
      base: null,
      text: "",
      outside: true,
    };
    const agent = { id: "2", name: `\u202e\u001b]0;x\u0007${"y".repeat(10_000)}` };
    scene.reviews.review(proposal, { agent, signal: new AbortController().signal });
    expect(scene.info("p")).toMatchObject({ label: "cod.\ufffdexe", place: "a\ufffd\ufffd" });
    expect(scene.info("p")?.agent.name).toMatch(/^\ufffd\ufffd\]0;x\ufffdy+$/);
    expect(scene.info("p")?.agent.name).toHaveLength(100);
  });
});

describe("decisions", () => {
  it("reach the right side and the attached windows, with the version they belong to", async () => {
    await using scene = await ReviewScene.open();
    const { id } = await scene.propose();
    scene.snapshot(id);
    scene.decide(id, 1, "dropped");
    expect(scene.window.last("review.hunks")).toMatchObject({
      id,
      version: 1,
      hunks: [
        { id: 0, decision: "pending", count: 1 },
        { id: 1, decision: "dropped", lines: ["FIVE"] },
      ],
    });
    expect(scene.window.last("text.updates")).toMatchObject({ name: `proposal:${id}`, version: 0 });
  });

  it("are undone and redone, the text with them", async () => {
    await using scene = await ReviewScene.open();
    const { id } = await scene.propose();
    scene.decide(id, 0, "dropped");
    scene.decide(id, 1, "kept");
    expect(scene.info(id)).toMatchObject({ canUndo: true, canRedo: false });
    scene.undo(id);
    scene.undo(id);
    expect(scene.shown(id)).toBe(NEW);
    expect(scene.info(id)).toMatchObject({ canUndo: false, canRedo: true, tally: { pending: 2 } });
    scene.redo(id);
    expect(scene.shown(id)).toBe("one\ntwo\nthree\nfour\nFIVE\n");
  });

  it("of hunks that are not there fail and change nothing", async () => {
    await using scene = await ReviewScene.open();
    const { id } = await scene.propose();
    expect(() => scene.decide(id, 7, "kept")).toThrow(/not there any more/);
    expect(scene.info(id)?.canUndo).toBe(false);
  });
});

describe("typing on the right side", () => {
  it("is one step together, taken in before the next decision", async () => {
    await using scene = await ReviewScene.open();
    const { id, review } = await scene.propose();
    scene.type(id, 3, 3, "!");
    scene.type(id, 4, 4, "?");
    scene.decide(id, 1, "kept");
    expect(scene.info(id)?.tally).toMatchObject({ edited: 1, kept: 1 });
    expect(scene.shown(id)).toBe("ONE!?\ntwo\nthree\nfour\nFIVE\n");
    await scene.accept(id);
    expect(await review.outcome).toMatchObject({ text: "ONE!?\ntwo\nthree\nfour\nFIVE\n" });
  });

  it("is taken back by one undo", async () => {
    await using scene = await ReviewScene.open();
    const { id } = await scene.propose();
    scene.type(id, 3, 3, "!");
    scene.undo(id);
    expect(scene.shown(id)).toBe(NEW);
  });

  it("is told to the windows after a pause", async () => {
    await using scene = await ReviewScene.open();
    const { id } = await scene.propose();
    scene.type(id, 3, 3, "!");
    await expect.poll(() => scene.info(id)?.tally?.edited).toBe(1);
    expect(scene.window.last("review.hunks")?.version).toBe(1);
  });
});

describe("a proposal that is withdrawn", () => {
  it("disappears when nothing was done with it, and never has an outcome", async () => {
    await using scene = await ReviewScene.open();
    for (const why of ["disconnected", "cancelled", "answered-elsewhere", "stopping"] as const) {
      const { id, review } = await scene.propose();
      expect(await review.withdraw(why)).toBe(NEW);
      expect(scene.info(id)).toBeUndefined();
      expect(await settled(review)).toBeNull();
    }
  });

  it("stays as orphaned when the agent left a decision behind", async () => {
    await using scene = await ReviewScene.open();
    const { id, review } = await scene.propose();
    scene.decide(id, 0, "dropped");
    await review.withdraw("disconnected");
    expect(scene.info(id)).toMatchObject({ kind: "orphaned", canUndo: false });
    await expect(scene.accept(id)).rejects.toThrow(/agent's terminal/);
    expect(() => scene.decide(id, 1, "kept")).toThrow(/agent's terminal/);
    expect(() => scene.type(id, 0, 0, "x")).toThrow(/agent's terminal/);
    scene.dismiss(id);
    expect(scene.info(id)).toBeUndefined();
  });

  it("stays when it was answered elsewhere only for what the person wrote", async () => {
    await using scene = await ReviewScene.open();
    const decided = await scene.propose();
    scene.decide(decided.id, 0, "dropped");
    await decided.review.withdraw("answered-elsewhere");
    expect(scene.info(decided.id)).toBeUndefined();
    const edited = await scene.propose();
    scene.type(edited.id, 0, 0, "mine ");
    expect(await edited.review.withdraw("answered-elsewhere")).toBe(`mine ${NEW}`);
    expect(scene.info(edited.id)?.kind).toBe("orphaned");
    expect(await edited.review.withdraw("stopping")).toBe(`mine ${NEW}`);
  });
});

describe("a proposal that is withdrawn while it is being accepted", () => {
  it("is not called accepted, and keeps what the person did", async () => {
    await using scene = await ReviewScene.open();
    const { id, review } = await scene.propose();
    scene.decide(id, 0, "dropped");
    const accepting = scene.accept(id);
    await review.withdraw("disconnected");
    await expect(accepting).rejects.toThrow(/Nobody waits/);
    expect(scene.info(id)?.kind).toBe("orphaned");
    expect(await settled(review)).toBeNull();
  });
});

describe("a large proposal", () => {
  const line = (at: number) => `the line ${at} of a text that is long enough to be large`;
  const large = Array.from({ length: 20_000 }, (_, at) => line(at));
  const edited = large.map((text, at) => (at % 10 === 5 ? `${text}, edited` : text));

  it("has its hunks computed aside, with progress, while it can be accepted at once", async () => {
    await using scene = await ReviewScene.open();
    const first = await scene.propose(large.join("\n"), edited.join("\n"));
    expect(scene.info(first.id)).toMatchObject({ tally: null, progress: 0 });
    expect(scene.snapshot(first.id).hunks).toBeNull();
    await scene.accept(first.id);
    expect(await first.review.outcome).toMatchObject({ kind: "accepted", text: edited.join("\n") });

    const second = await scene.propose(large.join("\n"), edited.join("\n"));
    const progress: number[] = [];
    scene.store.subscribe(() => progress.push(scene.info(second.id)?.progress ?? 0));
    expect(() => scene.decide(second.id, 0, "kept")).toThrow(/still being compared/);
    await expect.poll(() => scene.info(second.id)?.tally?.pending).toBe(2_000);
    expect(progress.some((fraction) => fraction > 0 && fraction < 1)).toBe(true);
  });

  it("takes in what was typed and what the file did while the hunks were computed", async () => {
    await using scene = await ReviewScene.open();
    const { id, path, review } = await scene.propose(large.join("\n"), edited.join("\n"));
    scene.type(id, 0, 0, "mine ");
    await writeFile(path, [...large, "added below"].join("\n"));
    await scene.reviews.noticeDisk([path]);
    await expect.poll(() => scene.info(id)?.tally).toMatchObject({ pending: 2_000, edited: 1 });
    await scene.accept(id);
    const text = `mine ${[...edited, "added below"].join("\n")}`;
    expect(await review.outcome).toEqual({ kind: "accepted", text });
  });
});

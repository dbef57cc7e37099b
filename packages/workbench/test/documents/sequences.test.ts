import type { Uri } from "@lockstep/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DocumentsScene } from "./scene.js";

const STEPS = ["type", "agent", "notice", "save", "mine", "theirs", "revert", "crash"] as const;
type Step = (typeof STEPS)[number];

/** What must be in the document and in the file, by the plainest reading of each step. */
class Model {
  text = "start\n";
  file = "start\n";
  #number = 0;

  constructor(
    readonly scene: DocumentsScene,
    readonly uri: Uri,
  ) {}

  async take(step: Step): Promise<void> {
    const { documents } = this.scene;
    const before = this.scene.info(this.uri);
    if (step === "type") {
      const insert = `typed ${this.#number++}\n`;
      documents.edit(this.uri, { from: 0, insert });
      this.text = insert + this.text;
    }
    if (step === "agent") {
      this.file = `written ${this.#number++}\n${this.file}`;
      await this.scene.write("a.txt", this.file);
    }
    if (step === "notice") await documents.noticeDisk();
    if (step === "save") {
      const saved = await documents.save(this.uri).then(
        () => before?.dirty === true,
        () => false,
      );
      if (saved) this.file = this.text;
    }
    if (step === "mine") await documents.settle(this.uri, "mine");
    if (step === "theirs") await documents.settle(this.uri, "theirs");
    if (step === "revert") await documents.revert(this.uri);
    if (step === "crash") await this.scene.start();
    const takesTheFile =
      step === "revert" ||
      (step === "theirs" && before?.clash !== null) ||
      ((step === "notice" || step === "crash") && before?.dirty === false);
    if (takesTheFile) this.text = this.file;
  }

  async check(): Promise<void> {
    expect(this.scene.text(this.uri)).toBe(this.text);
    expect(await this.scene.read("a.txt")).toBe(this.file);
  }
}

describe("any sequence of edits, saves, foreign writes, choices and crashes", () => {
  it("loses nothing that was typed, and nothing that another program wrote", async () => {
    const steps = fc.array(fc.constantFrom(...STEPS), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        await using scene = await DocumentsScene.open();
        const model = new Model(scene, await scene.show("a.txt", "start\n"));
        await scene.idle();
        for (const step of sequence) {
          await model.take(step);
          await model.check();
        }
        expect(scene.reported).toEqual([]);
        expect(scene.notices()).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("never saves over what another program wrote unless the person chose so", async () => {
    const steps = fc.array(fc.constantFrom<Step>("type", "agent", "notice", "save", "crash"), {
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        await using scene = await DocumentsScene.open();
        const model = new Model(scene, await scene.show("a.txt", "start\n"));
        await scene.idle();
        for (const step of sequence) await model.take(step);
        const written = sequence.filter((step) => step === "agent").length;
        expect(model.file.match(/written/g)?.length ?? 0).toBe(written);
        await model.check();
      }),
      { numRuns: 40 },
    );
  });
});

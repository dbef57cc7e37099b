import { describe, expect, it } from "vitest";
import { inputLine } from "../src/claude.js";
import { titled, whyNoClaude } from "../src/needs.js";
import { answerTo, DONE, noQuestion, proposeEdit } from "../src/propose.js";
import { OPEN_FILE, Scene } from "../src/scene.js";

const reason = whyNoClaude();
const twoLines = { start: { line: 1, character: 0 }, end: { line: 2, character: 5 } };

describe.skipIf(reason)(titled("two real CLIs on one server", reason), () => {
  it("both learn the selection, and each gets the answer to its own proposal only", async () => {
    const scene = await Scene.open();
    const [one, two] = [await scene.connect(), await scene.connect()];

    await scene.ide.select(scene.workspace.path(OPEN_FILE), twoLines);
    for (const { claude } of [one, two])
      await claude.terminal.waitFor((screen) => inputLine(screen).includes("⧉ 2 lines selected"));

    // The second one's prompt closes all its diffs, which must leave the first one's alone.
    const first = await proposeEdit(scene, one, "a.txt");
    const second = await proposeEdit(scene, two, "b.txt");
    expect(first.openDiff.connection).not.toBe(second.openDiff.connection);
    for (const { api } of [one, two])
      expect(api.requests.entries[0]?.news).toContain("The user selected the lines 2 to 3");

    await scene.ide.accept(second.id);
    expect(await answerTo(scene, second)).toEqual(["FILE_SAVED", "ONE\ntwo\n"]);
    await two.claude.terminal.waitFor(DONE);
    expect(await scene.workspace.read("b.txt")).toBe("ONE\ntwo\n");
    expect(scene.ide.wire.entries.some((frame) => frame.answers(first.openDiff))).toBe(false);
    expect(await one.claude.terminal.screen()).toContain("Do you want to make this edit to a.txt");

    await scene.ide.reject(first.id);
    expect((await answerTo(scene, first))?.[0]).toBe("DIFF_REJECTED");
    await one.claude.terminal.waitFor(noQuestion);
    expect(await scene.workspace.read("a.txt")).toBe("one\ntwo\n");
    expect(one.api.requests.entries).toHaveLength(1);
    expect(two.api.requests.entries).toHaveLength(2);
  });
});

import { describe, expect, it } from "vitest";
import { hasPrompt } from "../src/claude.js";
import { text } from "../src/model-reply.js";
import { titled, whyNoClaude } from "../src/needs.js";
import { answerTo, DONE, noQuestion, proposeEdit } from "../src/propose.js";
import { type Agent, Scene } from "../src/scene.js";

const reason = whyNoClaude();

describe.skipIf(reason)(titled("an Edit that the real CLI proposes", reason), () => {
  it("is written as proposed when the person accepts it", async () => {
    const scene = await Scene.open();
    const agent = await scene.connect();
    const proposal = await proposeEdit(scene, agent, "a.txt");
    expect(proposal.openDiff.message.params?.arguments).toEqual({
      old_file_path: proposal.path,
      new_file_path: proposal.path,
      new_file_contents: "ONE\ntwo\n",
      tab_name: expect.stringContaining("a.txt"),
    });
    expect(await scene.workspace.read("a.txt")).toBe("one\ntwo\n");

    await scene.ide.accept(proposal.id);

    expect(await answerTo(scene, proposal)).toEqual(["FILE_SAVED", "ONE\ntwo\n"]);
    const { news } = await agent.api.nextRequest("updated successfully");
    expect(news).not.toContain("modified");
    expect(await agent.claude.terminal.waitFor(DONE)).toMatch(/1 \+ONE/);
    expect(await scene.workspace.read("a.txt")).toBe("ONE\ntwo\n");
  });

  it("is written as the person has changed it, and the model is told", async () => {
    const scene = await Scene.open();
    const agent = await scene.connect();
    const proposal = await proposeEdit(scene, agent, "a.txt");

    await scene.ide.accept(proposal.id, "One!\ntwo\n");

    expect(await answerTo(scene, proposal)).toEqual(["FILE_SAVED", "One!\ntwo\n"]);
    const { news } = await agent.api.nextRequest("updated successfully");
    expect(news).toContain("The user modified your proposed changes before accepting them");
    expect(await agent.claude.terminal.waitFor(DONE)).toMatch(/1 \+One!/);
    expect(await scene.workspace.read("a.txt")).toBe("One!\ntwo\n");
  });

  for (const [gesture, act] of [
    ["rejects it", (scene: Scene, id: string) => scene.ide.reject(id)],
    ["closes its tab", (scene: Scene, id: string) => scene.ide.closeTab(id)],
  ] as const) {
    it(`is not written, and the turn ends, when the person ${gesture}`, async () => {
      const scene = await Scene.open();
      const agent = await scene.connect();
      const proposal = await proposeEdit(scene, agent, "a.txt");

      await act(scene, proposal.id);

      // TAB_CLOSED would make the CLI apply the edit.
      expect((await answerTo(scene, proposal))?.[0]).toBe("DIFF_REJECTED");
      expect(await agent.claude.terminal.waitFor(noQuestion)).toContain("User rejected update");
      await expectRejected(scene, agent);
    });
  }

  it("is written by the CLI when the person says yes in the terminal, and leaves the editor", async () => {
    const scene = await Scene.open();
    const agent = await scene.connect();
    const proposal = await proposeEdit(scene, agent, "a.txt");

    await agent.claude.terminal.pressUntil("Enter", noQuestion);

    await withdrawn(scene, proposal.id);
    const { tab_name } = proposal.openDiff.message.params?.arguments ?? {};
    const closeTab = await scene.ide.wire.waitFor((frame) => frame.calls("close_tab"));
    expect(closeTab.message.params?.arguments).toEqual({ tab_name });
    expect((await answerTo(scene, proposal))?.[0]).toBe("DIFF_REJECTED");
    const { news } = await agent.api.nextRequest("updated successfully");
    expect(news).not.toContain("modified");
    await agent.claude.terminal.waitFor(DONE);
    expect(await scene.workspace.read("a.txt")).toBe("ONE\ntwo\n");
  });

  it("is not written when the person says no in the terminal, and leaves the editor", async () => {
    const scene = await Scene.open();
    const agent = await scene.connect();
    const proposal = await proposeEdit(scene, agent, "a.txt");

    const { terminal } = agent.claude;
    await terminal.press("Down");
    await terminal.waitFor(/❯ 2\./);
    await terminal.press("Down");
    await terminal.waitFor(/❯ 3\. No/);
    await terminal.pressUntil("Enter", noQuestion);

    await withdrawn(scene, proposal.id);
    await expectRejected(scene, agent);
  });

  it("is not written when the person presses Esc in the terminal, and leaves the editor", async () => {
    const scene = await Scene.open();
    const agent = await scene.connect();
    const proposal = await proposeEdit(scene, agent, "a.txt");

    await agent.claude.terminal.pressUntil("Escape", noQuestion);

    await withdrawn(scene, proposal.id);
    await expectRejected(scene, agent);
  });
});

/** The proposal is gone from the editor, because it was answered somewhere else. */
async function withdrawn(scene: Scene, proposal: string): Promise<void> {
  const sight = await scene.ide.sights.waitFor(({ kind }) => kind === "withdrawn");
  expect(sight).toEqual({ kind: "withdrawn", proposal, why: "answered-elsewhere" });
}

/** Nothing is written, the model was asked nothing more, and learns of it with the next prompt. */
async function expectRejected(scene: Scene, { claude, api }: Agent): Promise<void> {
  await claude.terminal.waitFor(hasPrompt);
  api.script(text("A pity."));
  await claude.submit("what now");
  const { news } = await api.nextRequest("what now");
  expect(news).toContain("The user doesn't want to proceed with this tool use");
  expect(api.requests.entries.filter(({ isTurn }) => isTurn)).toHaveLength(2);
  await claude.terminal.waitFor("A pity.");
  expect(await scene.workspace.read("a.txt")).toBe("one\ntwo\n");
}

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { inputLine } from "../src/claude.js";
import { Ide } from "../src/ide.js";
import { text } from "../src/model-reply.js";
import { titled, whyNoClaude } from "../src/needs.js";
import { DONE, noQuestion, proposeEdit } from "../src/propose.js";
import { OPEN_FILE, Scene } from "../src/scene.js";

const reason = whyNoClaude();
const twoLines = { start: { line: 1, character: 0 }, end: { line: 2, character: 5 } };

describe.skipIf(reason)(titled("with the real CLI connected", reason), () => {
  it("an editor that quits during a proposal decides nothing: the terminal goes on asking", async () => {
    const scene = await Scene.open();
    const agent = await scene.connect();
    const proposal = await proposeEdit(scene, agent, "a.txt");

    await scene.ide.quit();

    expect(existsSync((await scene.ide.ready).lockFiles[0]!)).toBe(false);
    expect(scene.ide.sights.entries).toContainEqual({
      kind: "withdrawn",
      proposal: proposal.id,
      why: "stopping",
    });
    expect(scene.ide.wire.entries.some((frame) => frame.answers(proposal.openDiff))).toBe(false);
    expect(await agent.claude.terminal.screen()).toContain("Do you want to make this edit");
    expect(await scene.workspace.read("a.txt")).toBe("one\ntwo\n");

    await agent.claude.terminal.pressUntil("Enter", noQuestion);
    await agent.api.nextRequest("updated successfully");
    await agent.claude.terminal.waitFor(DONE);
    expect(await scene.workspace.read("a.txt")).toBe("ONE\ntwo\n");
  });

  it("an editor that is killed and starts again is found again, and tells its selection", async () => {
    const scene = await Scene.open();
    const { claude, api } = await scene.connect();
    const path = scene.workspace.path(OPEN_FILE);
    const before = await scene.ide.ready;
    const lock = await readFile(before.lockFiles[0]!, "utf8");

    await scene.ide.kill();
    await claude.terminal.waitFor((screen) => !inputLine(screen).includes("⧉"));
    scene.ide = await Ide.start(scene.workspace, { path, range: twoLines });

    const after = await scene.ide.ready;
    expect(after.port).toBe(before.port);
    expect(JSON.parse(await readFile(after.lockFiles[0]!, "utf8"))).toEqual({
      ...JSON.parse(lock),
      pid: scene.ide.pid,
    });
    const hello = await scene.ide.wire.waitFor(({ message }) => message.method === "ide_connected");
    expect(hello.message.params).toEqual({ pid: claude.terminal.pid });
    await claude.terminal.waitFor((screen) => inputLine(screen).includes("⧉ 2 lines selected"));
    api.script(text("I see."));
    await claude.submit("look");
    const { news } = await api.nextRequest("look");
    expect(news).toContain(`The user selected the lines 2 to 3 from ${path}:\ntwo\nthree\n`);
    await claude.terminal.waitFor("I see.");
  });
});

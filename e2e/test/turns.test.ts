import { describe, expect, it, onTestFinished } from "vitest";
import { PageClient } from "../../packages/workbench/test/page-client.js";
import { agentIn } from "../src/agent-in.js";
import { LockstepCommand } from "../src/lockstep-command.js";
import { text, toolUse } from "../src/model-reply.js";
import { titled, whyNoClaude } from "../src/needs.js";
import { DONE } from "../src/propose.js";
import { Workspace } from "../src/workspace.js";

const reason = whyNoClaude();

describe.skipIf(reason)(titled("a turn of the real CLI that writes without asking", reason), () => {
  it("is what changed since its prompt, across files, and is undone exactly", async () => {
    const workspace = await Workspace.create();
    onTestFinished(() => workspace.remove());
    const path = await workspace.write("a.txt", "one\r\ntwo\r\nthree\r\n");
    const lockstep = await LockstepCommand.edit(workspace);
    onTestFinished(() => lockstep.kill());
    const page = await PageClient.open(lockstep.announcement.url ?? "");
    onTestFinished(() => page.close());
    const args = ["--ide", "--permission-mode", "acceptEdits"];
    const { claude, api } = await agentIn(workspace, { args });
    await claude.connected();

    api.script(
      toolUse("Edit", { file_path: path, old_string: "two", new_string: "TWO" }),
      toolUse("Write", { file_path: workspace.path("b.txt"), content: "new\n" }),
      text(DONE),
    );
    await claude.submit("make it loud");
    await claude.terminal.waitFor(DONE);
    expect(await workspace.read("a.txt")).toBe("one\r\nTWO\r\nthree\r\n");
    const now = await page.until(({ turns }) =>
      Object.values(turns).some(({ agent, files }) => agent !== null && files === 2),
    );
    const turn = Object.values(now.turns).find(({ files }) => files === 2);
    expect(turn?.agent).toMatch(/claude/i);
    const id = turn?.id ?? "";
    const files = await page.call("turn.files", { turn: id });
    expect(files.map(({ path: name, kind, added }) => [name, kind, added])).toEqual([
      ["a.txt", "edited", 1],
      ["b.txt", "created", 1],
    ]);

    expect(await page.call("turn.decide", { turn: id, decision: "undone" })).toEqual({
      refused: [],
    });
    expect(await workspace.read("a.txt")).toBe("one\r\ntwo\r\nthree\r\n");
    await expect(workspace.read("b.txt")).rejects.toThrow("ENOENT");
    expect(await page.call("turn.undo", { turn: id })).toEqual({ refused: [] });
    expect(await workspace.read("a.txt")).toBe("one\r\nTWO\r\nthree\r\n");
    expect(await workspace.read("b.txt")).toBe("new\n");
  });
});

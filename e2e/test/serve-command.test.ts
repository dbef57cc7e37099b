import { existsSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentIn } from "../src/agent-in.js";
import { LockstepCommand } from "../src/lockstep-command.js";
import { text, toolUse } from "../src/model-reply.js";
import { titled, whyNoClaude } from "../src/needs.js";
import { DONE } from "../src/propose.js";
import { Workspace } from "../src/workspace.js";

const reason = whyNoClaude();

describe.skipIf(reason)(titled("lockstep serve with the real CLI", reason), () => {
  it("accepts an Edit by itself with --decide accept, and leaves no lock file behind", async () => {
    const workspace = await Workspace.create();
    onTestFinished(() => workspace.remove());
    const path = await workspace.write("a.txt", "one\ntwo\n");
    const serving = await LockstepCommand.serve(workspace, "--decide", "accept");
    onTestFinished(async () => void (await serving.stop()));
    const { port, lockFile, pid, workspaceFolders } = serving.announcement;
    expect(lockFile).toBe(`${workspace.configDir}/ide/${port}.lock`);
    expect(existsSync(lockFile)).toBe(true);
    expect(() => process.kill(pid, 0)).not.toThrow();
    expect(workspaceFolders).toEqual([workspace.project]);
    const { claude, api } = await agentIn(workspace, { args: ["--ide"] });
    await claude.connected();

    const input = { file_path: path, old_string: "one", new_string: "ONE" };
    api.script(toolUse("Edit", input), text(DONE));
    await claude.submit("make it loud");

    await api.nextRequest("updated successfully");
    expect(await claude.terminal.waitFor(DONE)).toMatch(/1 \+ONE/);
    expect(await workspace.read("a.txt")).toBe("ONE\ntwo\n");
    expect(await serving.stop()).toBe(0);
    expect(existsSync(lockFile)).toBe(false);
  });
});

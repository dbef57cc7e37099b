import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentIn } from "../src/agent-in.js";
import { LockstepCommand } from "../src/lockstep-command.js";
import { text, toolUse } from "../src/model-reply.js";
import { titled, whyNoClaude } from "../src/needs.js";
import { DONE } from "../src/propose.js";
import { Workspace } from "../src/workspace.js";

const reason = whyNoClaude();
const program = fileURLToPath(new URL("../../packages/cli/bin/lockstep.js", import.meta.url));

async function workspaceWith(name: string, contents: string): Promise<Workspace> {
  const workspace = await Workspace.create();
  onTestFinished(() => workspace.remove());
  await workspace.write(name, contents);
  return workspace;
}

async function serving(workspace: Workspace, ...args: readonly string[]) {
  const command = await LockstepCommand.serve(workspace, ...args);
  onTestFinished(async () => void (await command.stop()));
  return command;
}

describe.skipIf(reason)(titled("lockstep relay with the real CLI", reason), () => {
  it("shows an Edit of a file there in the editor here, and the CLI writes its own", async () => {
    const here = await workspaceWith("a.txt", "one\ntwo\n");
    const there = await workspaceWith("a.txt", "one\ntwo\n");
    const { announcement } = await serving(here, "--decide", "accept");
    const args = [
      ...["relay", "exec", "--json", "--ide", String(announcement.port)],
      ...["--map", `${here.project}=${there.project}`],
      ...["--config-dir", here.configDir, "--remote-config-dir", there.configDir],
      ...["--", process.execPath, program],
    ];
    const relay = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, HOME: here.home, XDG_STATE_HOME: here.stateDir },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(relay, "exit");
    onTestFinished(async () => {
      relay.kill("SIGTERM");
      await ended;
    });
    const [line] = await once(createInterface({ input: relay.stdout }), "line");
    const { lockFile } = JSON.parse(String(line));
    expect(lockFile).toContain(there.configDir);

    const { claude, api } = await agentIn(there, { args: ["--ide"] });
    await claude.connected();
    const input = { file_path: there.path("a.txt"), old_string: "one", new_string: "ONE" };
    api.script(toolUse("Edit", input), text(DONE));
    await claude.submit("make it loud");
    await api.nextRequest("updated successfully");
    expect(await there.read("a.txt")).toBe("ONE\ntwo\n");
    expect(await here.read("a.txt")).toBe("one\ntwo\n");

    relay.kill("SIGTERM");
    await ended;
    expect(existsSync(lockFile)).toBe(false);
  });
});

describe.skipIf(reason)(titled("lockstep mcp with the real CLI", reason), () => {
  it("gives its model a tool that it keeps from it otherwise", async () => {
    const workspace = await workspaceWith("a.txt", "one\n");
    await serving(workspace);
    const editor = {
      command: process.execPath,
      args: [program, "mcp", "--config-dir", workspace.configDir],
    };
    const args = [
      ...["--mcp-config", JSON.stringify({ mcpServers: { editor } }), "--strict-mcp-config"],
      ...["--allowedTools", "mcp__editor__getWorkspaceFolders"],
    ];
    const { claude, api } = await agentIn(workspace, { args });
    api.script(toolUse("mcp__editor__getWorkspaceFolders", {}), text(DONE));
    await claude.submit("which folders are open?");
    const { news } = await api.nextRequest("rootPath");
    expect(news).toContain(workspace.project);
  });
});

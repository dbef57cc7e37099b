import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isAlive } from "@lockstep/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentIn } from "../src/agent-in.js";
import type { Claude } from "../src/claude.js";
import { Ide } from "../src/ide.js";
import { LockstepCommand } from "../src/lockstep-command.js";
import { titled, whyNoClaude } from "../src/needs.js";
import { Terminal } from "../src/terminal.js";
import { Workspace } from "../src/workspace.js";

const reason = whyNoClaude();
const program = fileURLToPath(new URL("../../packages/cli/bin/lockstep.js", import.meta.url));

/** `lockstep run -- claude` in a terminal, up to the CLI's prompt. */
async function runClaude(workspace: Workspace): Promise<Claude> {
  const through = [process.execPath, program, "run", "--"];
  const env = { XDG_STATE_HOME: workspace.stateDir };
  return (await agentIn(workspace, { through, env })).claude;
}

async function workspaceWithFile(): Promise<Workspace> {
  const workspace = await Workspace.create();
  onTestFinished(() => workspace.remove());
  await workspace.write("a.txt", "one\n");
  return workspace;
}

describe.skipIf(reason)(titled("lockstep run with the real CLI", reason), () => {
  it("starts an editor for it, it connects, and both end together", async () => {
    const workspace = await workspaceWithFile();
    const claude = await runClaude(workspace);
    await claude.connected();
    const locks = join(workspace.configDir, "ide");
    const [name = ""] = readdirSync(locks);
    const { pid } = JSON.parse(await readFile(join(locks, name), "utf8"));
    expect(isAlive(pid)).toBe(true);

    await claude.submit("/exit");
    await claude.terminal.ended;
    expect(readdirSync(locks)).toEqual([]);
    expect(isAlive(pid)).toBe(false);
  });

  it("connects it to the one of two editors that it names, where it would take none", async () => {
    const workspace = await workspaceWithFile();
    const one = await LockstepCommand.serve(workspace);
    onTestFinished(async () => void (await one.stop()));
    const two = await Ide.start(workspace, { path: workspace.path("a.txt") });
    onTestFinished(() => two.kill());
    await (await runClaude(workspace)).connected();
    expect(readdirSync(join(workspace.configDir, "ide"))).toHaveLength(2);
  });

  it("leaves Ctrl+C to the command, once, and tidies up after it", async () => {
    const workspace = await workspaceWithFile();
    // No shell script: bash loses an interrupt that comes while it handles one.
    const counting = `let n = 0;
      process.on("SIGINT", () => {
        console.log("interrupt", ++n);
        if (n === 2) console.log("over");
      });
      process.stdin.once("data", () => process.exit());
      console.log("READY");`;
    const terminal = await Terminal.start({
      command: [process.execPath, program, "run", "--", process.execPath, "-e", counting],
      cwd: workspace.project,
      env: {
        PATH: "/usr/local/bin:/usr/bin:/bin",
        HOME: workspace.home,
        CLAUDE_CONFIG_DIR: workspace.configDir,
        XDG_STATE_HOME: workspace.stateDir,
      },
    });
    onTestFinished(() => terminal.close());
    await terminal.waitFor("READY");
    await terminal.press("C-c");
    expect(await terminal.waitFor("interrupt 1")).not.toContain("over");
    await terminal.press("C-c");
    await terminal.waitFor("over");
    await terminal.press("Enter");
    await terminal.ended;
    expect(readdirSync(join(workspace.configDir, "ide"))).toEqual([]);
  });
});

import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { text } from "../src/model-reply.js";
import { titled, whyNoClaude } from "../src/needs.js";
import { type Agent, OPEN_FILE, Scene } from "../src/scene.js";

const reason = whyNoClaude();

describe.skipIf(reason)(titled("the real CLI connects", reason), () => {
  it("by --ide, through the lock file of its folder", async () => {
    const scene = await Scene.open();
    const { port, lockFiles } = await scene.ide.ready;
    expect(lockFiles).toEqual([`${scene.workspace.configDir}/ide/${port}.lock`]);
    expect(JSON.parse(await readFile(lockFiles[0]!, "utf8"))).toMatchObject({
      pid: scene.ide.pid,
      workspaceFolders: [scene.workspace.project],
      ideName: "Lockstep",
      transport: "ws",
    });

    const agent = await scene.start({ args: ["--ide"] });

    await expectConnected(scene, agent);
  });

  it("by the environment of the editor's own terminals", async () => {
    const scene = await Scene.open();
    const { port, environment } = await scene.ide.ready;
    expect(environment.CLAUDE_CODE_SSE_PORT).toBe(String(port));

    const agent = await scene.start({ env: environment });

    await expectConnected(scene, agent);
  });

  it("by /ide, when it was started without a word about the editor", async () => {
    const scene = await Scene.open();
    const agent = await scene.start();
    const { terminal } = agent.claude;
    await agent.claude.submit("/ide");
    await terminal.waitFor("Select IDE");
    expect(scene.ide.wire.entries).toEqual([]);

    await terminal.press("Up");
    await terminal.waitFor(/❯ +Lockstep/);
    await terminal.pressUntil("Enter", "Connected to Lockstep.");

    await expectConnected(scene, agent);
  });
});

/** On the wire, on the screen, and in what the model is told. */
async function expectConnected(scene: Scene, { claude, api }: Agent): Promise<void> {
  const { wire } = scene.ide;
  const hello = await wire.waitFor(({ message }) => message.method === "ide_connected");
  expect(hello.message.params).toEqual({ pid: claude.terminal.pid });
  expect(wire.entries[0]?.message).toMatchObject({
    id: 0,
    method: "initialize",
    params: { clientInfo: { name: "claude-code", version: "2.1.325" } },
  });
  await claude.attached(OPEN_FILE);

  api.script(text("Hello."));
  await claude.submit("hi");
  const { all } = await api.nextRequest("hi");
  expect(all).toContain("mcp__ide__getDiagnostics");
  expect(all).toContain(`The user opened the file ${scene.workspace.path(OPEN_FILE)} in the IDE.`);
  await claude.terminal.waitFor("Hello.");

  await claude.submit("/status");
  await claude.terminal.waitFor(/IDE: +Connected to Lockstep/);
}

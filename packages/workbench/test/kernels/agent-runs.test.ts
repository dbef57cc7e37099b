import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { titled, whyNoJupyter } from "../../../../e2e/src/needs.js";
import { AgentScene, run, toolsOf } from "./agent-scene.js";

const reason = whyNoJupyter();

const NOT_ALLOWED = "The user has not allowed code to be run in this workspace";

describe.skipIf(reason)(titled("code that an agent runs", reason), () => {
  it("runs in the kernel of the notebook in front, and its state is kept", async () => {
    const { scene, agent } = await AgentScene.withAgent();
    expect(await scene.allow(agent, "x = 41\nprint('set')")).toEqual({
      isError: false,
      texts: ["set\n"],
    });
    expect(await run(agent, "x + 1")).toEqual({ isError: false, texts: ["42"] });
    const failed = await run(agent, "1 / 0");
    expect(failed.texts[0]).toMatch(/^-+\nZeroDivisionError .*Traceback/);
    expect(failed.texts[0]).not.toContain("\u001b");
    const table = await run(agent, "import pandas\npandas.DataFrame({'a': [1]})");
    expect(table.texts).toEqual(["   a\n0  1"]);
  });

  it("answers plots as images, and no more text than a model reads", async () => {
    const { scene, agent } = await AgentScene.withAgent();
    const code = `import matplotlib.pyplot as plt
plt.plot([1, 2]); plt.show()
print("x" * 200_000)`;
    const answer = agent.request("tools/call", { name: "executeCode", arguments: { code } });
    await scene.answer(true);
    const { content } = (await answer).result as { content: Record<string, string>[] };
    expect(content[0]).toMatchObject({ type: "image", mimeType: "image/png" });
    expect(content[0]?.data).toMatch(/^iVBORw0KGgo/);
    expect(content[1]?.text).toHaveLength(60_000);
    expect(content[2]?.text).toBe("[Left out because it is too long: 140,001 characters]");
  });

  it("is offered while a notebook is open, and only then", async () => {
    const scene = await AgentScene.open();
    await scene.show("b.txt");
    const agent = await scene.agent();
    expect(await toolsOf(agent)).not.toContain("executeCode");
    expect(await run(agent, "1")).toEqual({
      isError: true,
      texts: ["No notebook is open in the editor: open an .ipynb file first."],
    });
    const changed = () =>
      agent.next((message) => message.method === "notifications/tools/list_changed");
    await scene.show();
    await changed();
    expect(await toolsOf(agent)).toContain("executeCode");
    agent.received.length = 0;
    await scene.page.call("tab.close", { uri: scene.uri("a.ipynb"), discard: true });
    await changed();
    expect(await toolsOf(agent)).not.toContain("executeCode");
  });

  it("runs in the notebook that was in front last, while another file is", async () => {
    const other = await AgentScene.open();
    const text = await readFile(other.path("a.ipynb"), "utf8");
    const scene = await AgentScene.open({ "sub/c.ipynb": text });
    await scene.show("a.ipynb");
    await scene.show("sub/c.ipynb");
    await scene.show("b.txt");
    const agent = await scene.agent();
    expect(await scene.allow(agent, "import os; print(os.path.basename(os.getcwd()))")).toEqual({
      isError: false,
      texts: ["sub\n"],
    });
  });

  it("goes on in the same kernel when the notebook is renamed, which ends with the notebook", async () => {
    const { scene, agent } = await AgentScene.withAgent();
    await scene.allow(agent, "import os\nx = os.getpid()");
    await scene.page.call("files.rename", { from: scene.uri("a.ipynb"), to: scene.uri("z.ipynb") });
    await scene.page.until((now) => now.tabs.some(({ uri }) => uri === scene.uri("z.ipynb")));
    const { texts } = await run(agent, "print(x == os.getpid(), x)");
    expect(texts[0]).toMatch(/^True /);
    const pid = Number(texts[0]?.split(" ")[1]);
    await scene.page.call("tab.close", { uri: scene.uri("z.ipynb"), discard: true });
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
  });

  it("is interrupted when the agent cancels it or leaves, and the kernel goes on", async () => {
    const { scene, agent } = await AgentScene.withAgent();
    await scene.allow(agent, "import os, time");
    for (const leaves of [false, true]) {
      const code = "open('began', 'w').close(); time.sleep(600)";
      const params = { name: "executeCode", arguments: { code } };
      agent.send({ jsonrpc: "2.0", id: "long", method: "tools/call", params });
      await expect.poll(() => readFile(scene.path("began"), "utf8").catch(() => null)).toBe("");
      if (leaves) agent.socket.terminate();
      else agent.notify("notifications/cancelled", { requestId: "long" });
      const next = leaves ? await scene.agent() : agent;
      expect(await run(next, "os.remove('began'); print('goes on')")).toEqual({
        isError: false,
        texts: ["goes on\n"],
      });
    }
  });

  it("is interrupted when it takes too long, and says so", async () => {
    const scene = await AgentScene.open();
    await scene.page.call("settings.set", { scope: "user", name: "agentCodeTimeout", value: 1 });
    await scene.show();
    const agent = await scene.agent();
    const { texts } = await scene.allow(
      agent,
      "print('began', flush=True)\nimport time; time.sleep(600)",
    );
    expect(texts[0]).toBe("began\n");
    expect(texts[1]).toContain("KeyboardInterrupt");
    expect(texts[2]).toBe(
      "[Interrupted: the code ran for more than 1 s. The user can change this limit: “agentCodeTimeout” in the settings.]",
    );
  });

  it("that does not heed an interrupt is given up, and the person is pointed to", async () => {
    const scene = await AgentScene.open();
    await scene.page.call("settings.set", { scope: "user", name: "agentCodeTimeout", value: 1 });
    await scene.show();
    const agent = await scene.agent();
    const stubborn = `import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
end = time.time() + 60
while time.time() < end: time.sleep(0.1)`;
    expect(await scene.allow(agent, stubborn)).toMatchObject({
      isError: true,
      texts: [expect.stringContaining("was interrupted but does not stop")],
    });
  });
});

describe.skipIf(reason)(titled("the person's leave to run code", reason), () => {
  it("is asked for first, and nothing runs until it is given", async () => {
    const { scene, agent } = await AgentScene.withAgent();
    const code = "open('ran', 'w').close()";
    const refused = run(agent, code);
    const question = await scene.answer(false);
    expect(question).toMatchObject({
      agent: "Claude Code",
      title: "Let Claude Code run code in your notebooks?",
    });
    expect(question.detail).toContain("until you take it back in the settings");
    expect(question.detail).toContain(code);
    expect(await refused).toMatchObject({
      isError: true,
      texts: [expect.stringContaining(NOT_ALLOWED)],
    });
    expect(scene.state.permissions).toEqual({});
    await expect(readFile(scene.path("ran"))).rejects.toThrow("ENOENT");
    // A no is not for ever.
    expect(await scene.allow(agent, code)).toMatchObject({ isError: false });
    expect(await readFile(scene.path("ran"), "utf8")).toBe("");
  });

  it("holds for the same agent after it connects anew and after a restart", async () => {
    const { scene, agent } = await AgentScene.withAgent();
    await scene.allow(agent, "1");
    expect(Object.values(scene.state.permissions)).toMatchObject([
      { title: "Claude Code may run code in notebooks" },
    ]);
    agent.socket.terminate();
    expect(await run(await scene.agent(), "2")).toEqual({ isError: false, texts: ["2"] });
    await scene.restart();
    await scene.show();
    expect(await run(await scene.agent(), "3")).toEqual({ isError: false, texts: ["3"] });
    expect(scene.state.questions).toEqual({});
  });

  it("is asked for again as soon as it is taken back", async () => {
    const { scene, agent } = await AgentScene.withAgent();
    await scene.allow(agent, "1");
    await scene.revoke();
    const next = run(agent, "2");
    await scene.answer(false);
    expect(await next).toMatchObject({ isError: true });
  });

  it("that is taken back stops what runs and what waits", async () => {
    const { scene, agent } = await AgentScene.withAgent();
    await scene.allow(agent, "import time, os");
    const running = run(agent, "open('began', 'w').close(); time.sleep(600)");
    const waiting = run(agent, "open('waited', 'w').close()");
    await expect.poll(() => readFile(scene.path("began"), "utf8").catch(() => null)).toBe("");
    await scene.revoke();
    for (const answer of [running, waiting])
      expect(await answer).toMatchObject({
        isError: true,
        texts: [expect.stringContaining(NOT_ALLOWED)],
      });
    await expect(readFile(scene.path("waited"))).rejects.toThrow("ENOENT");
  });

  it("is one agent's and not another's", async () => {
    const { scene, agent } = await AgentScene.withAgent();
    await scene.allow(agent, "1");
    const other = run(await scene.agent("Other"), "2");
    expect((await scene.answer(false)).agent).toBe("Other");
    expect(await other).toMatchObject({ isError: true });
    expect(await run(await scene.agent(), "3")).toMatchObject({ isError: false });
  });

  it("is not given by a late yes to an agent that has left", async () => {
    const { scene, agent } = await AgentScene.withAgent();
    void run(agent, "open('ran', 'w').close()").catch(() => {});
    const { id } = await scene.question();
    agent.socket.terminate();
    await scene.page.until((now) => Object.keys(now.questions).length === 0);
    await scene.page.call("question.answer", { id, yes: true });
    expect(scene.state.permissions).toEqual({});
    await expect(readFile(scene.path("ran"))).rejects.toThrow("ENOENT");
  });

  it("is asked and listed with a name that cannot redraw, reverse or fill the page", async () => {
    const scene = await AgentScene.open();
    await scene.show();
    const name = `\u001b[2J\u202eevil\n${"x".repeat(5_000)}`;
    const agent = await scene.agent(name);
    const answer = run(agent, "1");
    const question = await scene.answer(true);
    expect(await answer).toMatchObject({ isError: false });
    const [permission] = Object.values(scene.state.permissions);
    for (const text of [question.agent, question.title, permission?.title ?? ""]) {
      expect(text).toMatch(/evil/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(text).not.toMatch(/[\u0000-\u001f\u202e]/);
      expect(text.length).toBeLessThan(200);
    }
    // Another name that looks the same is another agent.
    const other = run(await scene.agent(name.replace("\u001b", "\u0007")), "2");
    await scene.answer(false);
    expect(await other).toMatchObject({ isError: true });
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

import { readFile } from "node:fs/promises";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Scene } from "../scene.js";
import { tokenOf, WireAgent } from "../wire-agent.js";
import { ServerProcess } from "./server-process.js";

describe("the token", () => {
  it("is in nothing that the server hands out, traces, reports or prints", async () => {
    await using scene = await Scene.open();
    const traced: unknown[] = [];
    const server = await scene.serve({ trace: (event) => void traced.push(event) });
    const agent = await scene.agent(server);
    await agent.call("getWorkspaceFolders");
    await agent.request("no/such", { token: "guess" });
    const told = inspect(
      [server, server.environment(), server.agents, traced, scene.problems, scene.sights],
      { depth: 12, showHidden: true, getters: true, maxArrayLength: null, maxStringLength: null },
    );
    expect(traced.length).toBeGreaterThan(4);
    expect(told).not.toContain(tokenOf(server));
  });

  it("is in no argument, no variable, and not in what a crash prints", async () => {
    await using scene = await Scene.open();
    await using child = await ServerProcess.start({ home: scene.home, folder: scene.folder });
    const { lockFiles } = child.ready;
    const token = JSON.parse(await readFile(lockFiles[0] ?? "", "utf8")).authToken as string;
    if (process.platform === "linux") {
      for (const name of ["cmdline", "environ"]) {
        expect(await readFile(`/proc/${child.pid}/${name}`, "latin1")).not.toContain(token);
      }
    }
    expect(await child.crash()).not.toBe(0);
    expect(child.printed).toContain("crashed as it was told to");
    expect(child.printed).not.toContain(token);
  });
});

describe("terminal escapes", () => {
  it("do not reach the terminal in what the server reports by default", async () => {
    await using scene = await Scene.open();
    const { home, folder } = scene;
    const fault = "\u001b[2Jcleared\u0007\u202egnp.exe\u009b31m";
    await using child = await ServerProcess.start({ home, folder, fault });
    await using _agent = await WireAgent.connect(child.ready);
    await expect.poll(() => child.printed, { timeout: 5_000 }).toContain("cleared");
    for (const mark of ["\u001b", "\u0007", "\u009b", "\u202e"]) {
      expect(child.printed).not.toContain(mark);
    }
  });
});

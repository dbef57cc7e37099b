import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { LOCKSTEP, PATIENCE, run, start } from "./command.js";
import { project } from "./project.js";
import { RawIde } from "./raw-ide.js";

const TOOLS = (...names: string[]) => ({
  tools: names.map((name) => ({ name, inputSchema: { type: "object" } })),
});
const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: "Kale", version: "1.2" },
};

function watching(home: string, folder: string, ...args: string[]) {
  const child = start(home, ["watch", ...args], folder);
  let stdout = "";
  child.stdout?.on("data", (chunk) => (stdout += chunk));
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, out: () => stdout };
}

describe("lockstep watch", () => {
  it("shows what an editor tells agents, with paths as seen from here", PATIENCE, async () => {
    const { home, folder } = await project();
    const answers = { initialize: INITIALIZE, "tools/list": TOOLS("openDiff") };
    const ide = await RawIde.start({ home, folder, answers });
    const { child, out } = watching(home, folder);
    await expect.poll(out, PATIENCE).toMatch(/tools +1: openDiff\n/);
    expect(out()).toMatch(
      /^\d\d:\d\d:\d\d {2}connected +Kale 1\.2 on port \d+, protocol 2025-06-18\n/,
    );

    const path = `${folder}/src/a.ts`;
    const at = (line: number, character: number) => ({ line, character });
    ide.push("selection_changed", {
      text: "let\n  x",
      filePath: path,
      selection: { start: at(4, 0), end: at(5, 3), isEmpty: false },
    });
    ide.push("selection_changed", {
      text: "",
      filePath: path,
      selection: { start: at(0, 0), end: at(0, 0), isEmpty: true },
    });
    ide.push("at_mentioned", { filePath: path, lineStart: 1, lineEnd: 3 });
    ide.push("diagnostics_changed", { uris: [`file://${path}`, "file:///else/b.ts"] });
    ide.push("something_else", { evil: "\u001b[2J\u202e" });
    await expect.poll(out, PATIENCE).toContain("something_else");
    expect(out()).toContain('selection   src/a.ts:5-6  "let\\n  x"');
    expect(out()).toMatch(/selection +src\/a\.ts:1\n/);
    expect(out()).toMatch(/mention +src\/a\.ts:2-4\n/);
    expect(out()).toMatch(/problems +changed in src\/a\.ts, \/else\/b\.ts\n/);
    for (const mark of ["\u001b", "\u202e"]) expect(out()).not.toContain(mark);
    child.kill("SIGINT");
    expect((await once(child, "close"))[0]).toBe(0);
  });

  it("introduces itself, and asks for nothing but the tools", async () => {
    const { home, folder } = await project();
    const ide = await RawIde.start({ home, folder, answers: { initialize: INITIALIZE } });
    const asked: Record<string, unknown>[] = [];
    const { child } = watching(home, folder, "--ide", String(ide.port));
    (await ide.agent()).on("message", (data) => asked.push(JSON.parse(String(data))));
    await expect.poll(() => asked.map(({ method }) => method), PATIENCE).toContain("tools/list");
    expect(asked[0]).toMatchObject({ params: { clientInfo: { name: "lockstep-watch" } } });
    expect(asked.map(({ method }) => method)).toEqual([
      "initialize",
      "notifications/initialized",
      "ide_connected",
      "tools/list",
    ]);
    child.kill("SIGTERM");
    await once(child, "close");
  });

  it("survives restarts of the editor, and tells what changed; in JSON one line each", async () => {
    const { home, folder } = await project();
    const first = await RawIde.start({
      home,
      folder,
      answers: { initialize: INITIALIZE, "tools/list": TOOLS("openDiff", "close_tab") },
    });
    const { child, out } = watching(home, folder, "--json");
    const events = () =>
      out()
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    const names = () => events().map(({ event }) => event);
    await expect.poll(names, PATIENCE).toEqual(["connected", "tools"]);
    const answers = { initialize: INITIALIZE, "tools/list": TOOLS("openDiff", "openFile") };
    await first.crash();
    const second = await RawIde.start({ home, folder, answers });
    await expect.poll(names, PATIENCE).toEqual(["connected", "tools", "lost", "restored", "tools"]);
    second.push("at_mentioned", { filePath: "/x" });
    await expect.poll(() => names().at(-1), PATIENCE).toBe("at_mentioned");
    await second.crash();
    await RawIde.start({ home, folder, answers });
    await expect.poll(() => names().at(-1), PATIENCE).toBe("restored");
    const tools = events().filter(({ event }) => event === "tools");
    expect(tools[1].params).toEqual({
      tools: ["openDiff", "openFile"],
      added: ["openFile"],
      removed: ["close_tab"],
    });
    expect(events().find(({ event }) => event === "at_mentioned")).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      event: "at_mentioned",
      params: { filePath: "/x" },
    });
    child.kill("SIGINT");
    expect((await once(child, "close"))[0]).toBe(0);
  });

  it("ends when nobody reads it any more", async () => {
    const { home, folder } = await project();
    const ide = await RawIde.start({ home, folder, answers: { initialize: INITIALIZE } });
    const line = `"${process.execPath}" "${LOCKSTEP}" watch | head -n 1`;
    const shell = spawn("sh", ["-c", line], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: home },
    });
    const closed = once(shell, "close");
    await once(shell.stdout, "data");
    const pushing = setInterval(() => ide.push("at_mentioned", { filePath: "/x" }), 20);
    await closed;
    clearInterval(pushing);
  });

  it("says so when there is no editor", async () => {
    const { home, folder } = await project();
    const { code, stderr } = await run(home, ["watch"], folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining("No running editor has")]);
  });
});

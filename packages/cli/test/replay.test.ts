import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect, readLock } from "@lockstep/client";
import { InMemoryEditor } from "@lockstep/editor";
import { serve } from "@lockstep/server";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Entry } from "../src/tap/recording.js";
import { readyJson, run, start } from "./command.js";
import { project } from "./project.js";

const heading = {
  lockstep: "recording",
  version: 1,
  startedAt: "2026-11-15T12:00:00.000Z",
  ide: { name: "Kale", folders: ["/then/project"] },
  command: [],
  environment: {},
};

type Line = Readonly<Record<string, unknown>>;

/** What one side said, at a time. */
function says(from: Entry["from"], at: number, message: unknown): Line {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  return { at, time: "", connection: 1, from, kind: "text", text };
}

const opened = (from: "agent" | "ide"): Line => {
  return { at: 0, time: "", connection: 1, from, kind: "open", subprotocol: "mcp", headers: {} };
};

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", clientInfo: { name: "then", version: "1" } },
};
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };
const call = (id: unknown, name: string, args: object) => {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
};
const answer = (id: unknown, ...texts: string[]) => {
  return { jsonrpc: "2.0", id, result: { content: texts.map((text) => ({ type: "text", text })) } };
};

/** The start of every recording here: the handshake, with an editor of another version. */
const HANDSHAKE: readonly Line[] = [
  opened("agent"),
  opened("ide"),
  says("agent", 1, INITIALIZE),
  says("ide", 2, {
    jsonrpc: "2.0",
    id: 0,
    result: {
      protocolVersion: "2024-11-05",
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "Lockstep", version: "0.0.1" },
    },
  }),
  says("agent", 3, INITIALIZED),
];

/** An editor that accepts whatever is proposed. */
async function agreeable(home: string, folder: string) {
  const editor = new InMemoryEditor({ folders: [folder] });
  editor.watch((sight) => {
    if (sight.kind === "shown") editor.accept(sight.proposal.id);
  });
  const server = await serve(editor, {
    configDir: join(home, ".claude"),
    stateDir: join(home, "state"),
  });
  onTestFinished(() => server.stop());
  return { editor, server };
}

async function scene(lines: readonly Line[]) {
  const { home, folder } = await project();
  const file = join(home, "recording.jsonl");
  await writeFile(file, [heading, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { editor, server } = await agreeable(home, folder);
  const replay = (...args: string[]) => run(home, ["replay", file, ...args], folder);
  return { home, folder, file, editor, server, replay };
}

const folders = (path: string) =>
  JSON.stringify({ success: true, folders: [{ name: "project", uri: `file://${path}`, path }] });

describe("lockstep replay --as agent", () => {
  // Made by e2e/test/tap.test.ts with LOCKSTEP_KEEP_RECORDING=<file>; make it anew when tools change.
  it("replays what the real CLI said to this server, and gets the same answers", async () => {
    const { home, folder } = await project();
    const file = fileURLToPath(new URL("recordings/claude-edit.jsonl", import.meta.url));
    const recorded = await readFile(file, "utf8");
    expect(recorded).toContain('\\"name\\":\\"claude-code\\"');
    expect(recorded).not.toMatch(/\/(tmp|root|home)\//);
    await writeFile(join(folder, "a.txt"), "one\ntwo\n");
    await agreeable(home, folder);
    const { code, stdout } = await run(home, ["replay", file, "--fast"], folder);
    expect(stdout).toMatch(/^\d+ answers, all as in the recording\.\n$/);
    expect(code).toBe(0);
  });

  it("puts the folder of here in the place of the recorded one, in what is said and compared", async () => {
    const { replay } = await scene([
      ...HANDSHAKE,
      says(
        "agent",
        4,
        call("a", "openDiff", {
          old_file_path: "/then/project/a.ts",
          new_file_contents: "const a = 2;\n",
          tab_name: "t",
        }),
      ),
      says("ide", 9_000, answer("a", "FILE_SAVED", "const a = 2;\n")),
      says("agent", 9_000, call("b", "getOpenEditors", {})),
    ]);
    expect(await replay("--fast")).toEqual({
      code: 0,
      stdout: "2 answers, all as in the recording.\n",
      stderr: "",
    });
  });

  it("tells what is answered in another way, by exit code 1 too", async () => {
    const { replay } = await scene([
      ...HANDSHAKE,
      says(
        "agent",
        4,
        call(1, "openDiff", {
          old_file_path: "/then/project/a.ts",
          new_file_contents: "const a = 2;\n",
          tab_name: "t",
        }),
      ),
      says("ide", 5, answer(1, "DIFF_REJECTED", "\u001b[2Jt")),
    ]);
    const { code, stdout } = await replay("--fast");
    expect(code).toBe(1);
    expect(stdout).toContain(
      'openDiff result.content[0].text line 8\n  then  "DIFF_REJECTED"\n  now   "FILE_SAVED"',
    );
    expect(stdout).toContain("2 answers, 2 differences.");
    expect(stdout).not.toContain("\u001b");
    const json = JSON.parse((await replay("--fast", "--json")).stdout);
    expect(json).toMatchObject({ answers: 2, differences: [{ line: 8, subject: "openDiff" }, {}] });
  });

  it("says what got no answer, within its patience", async () => {
    const { replay } = await scene([
      ...HANDSHAKE,
      says("ide", 4, { jsonrpc: "2.0", id: 77, method: "roots/list" }),
      says("agent", 5, { jsonrpc: "2.0", id: 77, result: { roots: [] } }),
    ]);
    const { code, stdout } = await replay("--fast", "--patience", "0.2");
    expect(code).toBe(1);
    expect(stdout).toContain("roots/list line 8");
  });

  it("keeps the recorded pauses unless it is told not to", async () => {
    const { replay } = await scene([
      ...HANDSHAKE,
      says("agent", 700, call(1, "getOpenEditors", {})),
    ]);
    const before = performance.now();
    await replay();
    expect(performance.now() - before).toBeGreaterThan(600);
  });

  it("survives what nobody says", async () => {
    const deep = "[".repeat(50_000) + "]".repeat(50_000);
    const { replay } = await scene([
      says("agent", 0, "before anything was opened"),
      ...HANDSHAKE,
      says("agent", 4, "not json"),
      says("agent", 4, "[1,2,3]"),
      says("agent", 4, { id: { odd: true }, result: 1 }),
      says("ide", 4, "null"),
      says("ide", 4, answer(0, "twice")),
      says("agent", 5, `{"jsonrpc":"2.0","id":9,"method":"x","params":${deep}}`),
      { at: 6, time: "", connection: 7, from: "agent", kind: "close", code: 1, reason: "" },
    ]);
    const { code, stderr } = await replay("--fast", "--patience", "0.2");
    expect(code).toBe(1);
    expect(stderr).not.toContain("    at ");
  });
});

describe("lockstep replay --as ide", () => {
  const SELECTION = { text: "x", filePath: "/then/project/a.ts", selection: null };

  it("answers an agent from the recording, and tells it what the editor told", async () => {
    const { home, folder, file } = await scene([
      ...HANDSHAKE,
      says("agent", 4, call(1, "getWorkspaceFolders", {})),
      says("ide", 5, answer(1, folders("/then/project"))),
      says(
        "agent",
        6,
        call(2, "openDiff", {
          old_file_path: "/then/project/a.ts",
          new_file_contents: "new",
          tab_name: "then (abc)",
        }),
      ),
      says("ide", 7, answer(2, "DIFF_REJECTED", "then (abc)")),
      says("ide", 8, { jsonrpc: "2.0", method: "selection_changed", params: SELECTION }),
    ]);
    const other = join(home, "other");
    await mkdir(other);
    await using ide = await readyJson(home, ["replay", file, "--as", "ide", "--fast"], other);
    const lock = await readLock(ide.ready.lockFile, ide.ready.port);
    if (!lock) throw new Error("no lock file");
    expect([lock.name, lock.folders]).toEqual(["Kale", [other]]);
    const connection = await connect(lock);
    const selected = new Promise((resolve) => connection.on("selection_changed", resolve));
    expect(connection.server.version).toBe("0.0.1");
    const list = await connection.call("getWorkspaceFolders");
    expect(list.content[0]).toMatchObject({ text: folders(other) });
    const diff = await connection.call("openDiff", {
      tab_name: "now (123)",
      new_file_contents: "new",
      old_file_path: join(other, "a.ts"),
    });
    expect(diff.content).toMatchObject([{ text: "DIFF_REJECTED" }, { text: "now (123)" }]);
    expect(await selected).toMatchObject({ filePath: join(other, "a.ts") });
    await expect(connection.call("getOpenEditors")).rejects.toThrow(
      "no answer to this getOpenEditors",
    );
    await connection.close();
    expect(folder).not.toBe(other);
    expect(await ide.stop("SIGINT")).toBe(1);
  });

  it("says at its end that all went as it was recorded", async () => {
    const { home, folder, file } = await scene(HANDSHAKE);
    const child = start(home, ["replay", file, "--as", "ide", "--json"], folder);
    let said = "";
    child.stderr?.on("data", (chunk) => (said += chunk));
    const [line] = await once(child.stdout as NodeJS.ReadableStream, "data");
    const { lockFile, port } = JSON.parse(line);
    const lock = await readLock(lockFile, port);
    if (!lock) throw new Error("no lock file");
    await (await connect(lock)).close();
    child.kill("SIGINT");
    expect((await once(child, "close"))[0]).toBe(0);
    expect(said).toBe("All was asked and answered as in the recording.\n");
  });

  it("runs a command against it, and does not compete with a running editor", async () => {
    const { home, folder, file, server } = await scene(HANDSHAKE);
    const show = "console.log(process.env.CLAUDE_CODE_SSE_PORT); process.exit(3)";
    const args = ["replay", file, "--as", "ide", "--quiet", "--", process.execPath, "-e", show];
    const { code, stdout } = await run(home, args, folder);
    expect(code).toBe(3);
    expect(Number(stdout)).not.toBe(server.port);
    const child = start(home, ["replay", file, "--as", "ide", "--json"], folder);
    const [line] = await once(child.stdout as NodeJS.ReadableStream, "data");
    const lock = JSON.parse(await readFile(JSON.parse(line).lockFile, "utf8"));
    expect(lock.workspaceFolders).toEqual([]);
    child.kill("SIGINT");
    expect((await once(child, "close"))[0]).toBe(0);
  });
});

it("lockstep replay says how it is used", async () => {
  const { home, folder } = await project();
  const cases: readonly [string[], string][] = [
    [[], "takes the file of a recording"],
    [["x", "--as", "both"], "agent or ide"],
    [["x", "--patience", "soon"], "takes seconds"],
    [["x", "--", "claude"], "--as ide -- command"],
  ];
  for (const [args, sentence] of cases) {
    const { code, stderr } = await run(home, ["replay", ...args], folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  }
});

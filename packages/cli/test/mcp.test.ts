import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { withAbilities } from "@lockstep/editor";
import { fileUri } from "@lockstep/protocol";
import { textResult } from "@lockstep/server";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { Scene } from "../../server/test/scene.js";
import { LOCKSTEP, PATIENCE, run } from "./command.js";
import { project } from "./project.js";

interface Place {
  readonly home: string;
  readonly folder: string;
}

/** An agent of the official SDK that has `lockstep mcp` as its server. */
async function agentIn({ home, folder }: Place, ...args: readonly string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [LOCKSTEP, "mcp", ...args],
    cwd: folder,
    env: { HOME: home, PATH: process.env.PATH ?? "" },
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (chunk) => (said += chunk));
  let listChanges = 0;
  const client = new Client(
    { name: "any-agent", version: "1.0.0" },
    { listChanged: { tools: { autoRefresh: false, onChanged: () => void listChanges++ } } },
  );
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    said: () => said,
    listChanges: () => listChanges,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name: string, args: Record<string, unknown> = {}) =>
      client.callTool({ name, arguments: args }),
  };
}

async function scene(): Promise<Scene> {
  const opened = await Scene.open();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  return opened;
}

type Json = Record<string, unknown>;

/** Somebody else's editor: it answers what the test makes it answer, or nothing. */
async function strangersEditor(
  { home, folder }: Place,
  tools: readonly Json[],
  answer: (call: { name: string; params: Json; socket: WebSocket }) => unknown,
) {
  const received: Json[] = [];
  const http = createServer();
  const sockets = new WebSocketServer({ server: http, handleProtocols: () => "mcp" });
  sockets.on("connection", (socket) => {
    socket.on("message", (data) => {
      const message = JSON.parse(String(data)) as Json & { id?: number; params: Json };
      received.push(message);
      const results: Record<string, () => unknown> = {
        initialize: () => ({ protocolVersion: "2025-11-25", serverInfo: { name: "Stranger" } }),
        "tools/list": () => ({ tools }),
        "tools/call": () =>
          answer({ name: String(message.params.name), params: message.params, socket }),
      };
      const result = results[String(message.method)]?.();
      if (message.id !== undefined && result !== undefined)
        socket.send(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
    });
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  const locks = join(home, ".claude", "ide");
  await mkdir(locks, { recursive: true, mode: 0o700 });
  const lock = {
    pid: process.pid,
    workspaceFolders: [folder],
    transport: "ws",
    ideName: "\u001b[2JStranger",
    authToken: "strangers-token",
  };
  await writeFile(join(locks, `${port}.lock`), JSON.stringify(lock), { mode: 0o600 });
  return { port, received };
}

const READING = [
  "getDiagnostics",
  "getOpenEditors",
  "getWorkspaceFolders",
  "getCurrentSelection",
  "checkDocumentDirty",
  "getLatestSelection",
  "get_all_opened_file_paths",
];

const WRITING = [
  "openDiff",
  "close_tab",
  "closeAllDiffTabs",
  "openFile",
  "saveDocument",
  "executeCode",
  "open_files",
  "reformat_file",
];

describe("lockstep mcp", () => {
  it("offers what the editor has and only looks, as the editor describes it", async () => {
    const place = await scene();
    const server = await place.serve();
    const wire = await place.agent(server);
    const own = (await wire.request("tools/list")).result as { tools: Json[] };
    const agent = await agentIn(place);
    const { tools } = await agent.client.listTools();
    expect(tools).toEqual(
      own.tools
        .filter(({ name }) => READING.includes(String(name)))
        .map((tool) => ({ ...tool, annotations: { readOnlyHint: true } })),
    );
    expect(tools.map(({ name }) => name)).toEqual(READING);
  });

  it("answers byte for byte as the editor does", async () => {
    const place = await scene();
    const uri = await place.file("näme ⧉.ts", 'const a = "\u0000\u2028\\u00e9";\n');
    await place.serve();
    place.editor.open(uri, 'const a = "\u0000\u2028\\u00e9";\n');
    place.editor.select(uri, { start: { line: 0, character: 0 }, end: { line: 0, character: 12 } });
    const wire = await place.agent();
    const agent = await agentIn(place);
    for (const name of ["getCurrentSelection", "getOpenEditors", "getWorkspaceFolders"]) {
      const own = await wire.call(name);
      const { content, isError } = await agent.call(name);
      expect(JSON.stringify(content)).toBe(
        JSON.stringify(own.texts.map((text) => ({ type: "text", text }))),
      );
      expect(isError ?? false).toBe(own.isError);
    }
    const failed = await agent.call("checkDocumentDirty", { filePath: "not-open.ts" });
    const own = await wire.call("checkDocumentDirty", { filePath: "not-open.ts" });
    expect(failed.content).toEqual(own.texts.map((text) => ({ type: "text", text })));
    const asked = agent.call("checkDocumentDirty", { filePath: 7 });
    await expect(asked).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("filePath"),
    });
  });

  it("neither lists nor calls what changes something (attack 24)", async () => {
    const place = await scene();
    const uri = await place.file("a.ts", "const a = 1;\n");
    let asked = 0;
    await place.serve({ trace: ({ text }) => void (text.includes("tools/call") && asked++) });
    place.editor.open(uri, "const a = 1;\n");
    const agent = await agentIn(place);
    for (const name of [...WRITING, "writeFile", "noSuchTool", "__proto__"]) {
      const refused = await agent.call(name, { filePath: place.path("a.ts") });
      expect(refused.isError).toBe(true);
      expect(refused.content).toEqual([
        { type: "text", text: expect.stringContaining("lockstep mcp --allow-writes") },
      ]);
    }
    expect(await agent.names()).toEqual(READING);
    expect(asked).toBe(0);
    await expect(
      agent.client.request({ method: "writeFile", params: { path: "a.ts", content: "" } }, {
        "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) },
      } as never),
    ).rejects.toMatchObject({ code: -32601 });
    expect(await readFile(place.path("a.ts"), "utf8")).toBe("const a = 1;\n");
  });

  it("believes no stranger's word that a tool only looks", async () => {
    const place = await scene();
    const called: string[] = [];
    const annotations = { readOnlyHint: true };
    const inputSchema = { type: "object" };
    const { received } = await strangersEditor(
      place,
      [
        { name: "formatDisk", description: "Harmless", inputSchema, annotations },
        { name: "saveDocument", description: "Harmless too", inputSchema, annotations },
        {
          name: "getOpenEditors",
          description: "Tabs",
          inputSchema,
          annotations: { title: "Tabs" },
        },
        { name: "getDiagnostics" },
        { name: "getDiagnostics", description: "again" },
        "no tool",
        { description: "without a name" },
      ] as Json[],
      ({ name }) => {
        called.push(name);
        return textResult("done");
      },
    );
    const agent = await agentIn(place);
    expect((await agent.client.listTools()).tools).toEqual([
      {
        name: "getOpenEditors",
        description: "Tabs",
        inputSchema,
        annotations: { title: "Tabs", readOnlyHint: true },
      },
      { name: "getDiagnostics", inputSchema, annotations },
    ]);
    expect((await agent.call("formatDisk")).isError).toBe(true);
    expect((await agent.call("saveDocument")).isError).toBe(true);
    expect(called).toEqual([]);

    const trusted = await agentIn(place, "--allow-writes");
    const { tools } = await trusted.client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["formatDisk", true],
      ["saveDocument", false],
      ["getOpenEditors", true],
      ["getDiagnostics", true],
    ]);
    expect((await trusted.call("formatDisk")).content).toEqual(textResult("done").content);
    expect(received.filter(({ method }) => method === "tools/call")).toHaveLength(1);
    for (const text of [agent.said(), trusted.said()]) {
      expect(text).toContain("Stranger on port");
      expect(text).not.toContain("\u001b");
      expect(text).not.toContain("strangers-token");
    }
  });

  it("shows proposals to the person with --allow-writes, and takes back those that nobody waits for", async () => {
    const place = await scene();
    const uri = await place.file("a.ts", "const a = 1;\n");
    await place.serve();
    const agent = await agentIn(place, "--allow-writes");
    expect(await agent.names()).toEqual(expect.arrayContaining([...READING, ...WRITING]));
    const propose = { old_file_path: place.path("a.ts"), new_file_contents: "2\n", tab_name: "t" };
    const answer = agent.call("openDiff", propose);
    const shown = await place.proposal();
    expect(shown.uri).toBe(uri);
    place.editor.accept(shown.id);
    expect((await answer).content).toEqual(textResult("FILE_SAVED", "2\n").content);

    const leaving = new AbortController();
    const unwanted = agent.client.callTool(
      { name: "openDiff", arguments: { ...propose, tab_name: "u" } },
      { signal: leaving.signal },
    );
    const caught = unwanted.catch((error: unknown) => error);
    await place.proposal();
    leaving.abort();
    await caught;
    await expect
      .poll(() => place.sights.filter(({ kind }) => kind === "withdrawn").length, PATIENCE)
      .toBe(1);
  });

  it("passes progress and cancellation on", async () => {
    const place = await scene();
    const { received } = await strangersEditor(place, [], ({ params, socket }) => {
      const { progressToken } = (params._meta ?? {}) as Json;
      const progress = { progressToken, progress: 1, total: 2, message: "half" };
      const message = { jsonrpc: "2.0", method: "notifications/progress", params: progress };
      socket.send(JSON.stringify(message));
      return undefined;
    });
    const agent = await agentIn(place);
    const leaving = new AbortController();
    const seen: unknown[] = [];
    const call = agent.client.callTool(
      { name: "getDiagnostics", arguments: {} },
      {
        signal: leaving.signal,
        onprogress: (progress) => {
          seen.push(progress);
          leaving.abort();
        },
      },
    );
    await expect(call).rejects.toThrow();
    expect(seen).toEqual([expect.objectContaining({ progress: 1, total: 2, message: "half" })]);
    const asked = received.find(({ method }) => method === "tools/call");
    await expect
      .poll(() => received.find(({ method }) => method === "notifications/cancelled"), PATIENCE)
      .toMatchObject({ params: { requestId: asked?.id } });
  });

  it("says so while no editor is there, takes one that comes, and follows it through a restart", async () => {
    const place = await scene();
    const agent = await agentIn(place);
    expect([...(await agent.names())].sort()).toEqual([...READING].sort());
    const none = await agent.call("getOpenEditors");
    expect(none.isError).toBe(true);
    expect(none.content).toEqual([
      {
        type: "text",
        text: `No editor has this folder open: ${place.folder}. Open it in one, for example by: lockstep`,
      },
    ]);

    const first = await place.serve();
    await expect.poll(agent.listChanges, PATIENCE).toBe(1);
    expect((await agent.call("getOpenEditors")).isError).toBeUndefined();
    await first.stop();
    const fewer = withAbilities(place.editor, ({ diagnostics: _, ...rest }) => rest);
    await place.serve({}, fewer);
    await expect.poll(agent.listChanges, PATIENCE).toBe(2);
    expect(await agent.names()).toEqual(READING.filter((name) => name !== "getDiagnostics"));
    expect((await agent.call("getWorkspaceFolders")).isError).toBeUndefined();
  });

  it("takes the editor on the port that it is told, wherever it is", async () => {
    const place = await scene();
    const { port } = await place.serve();
    const elsewhere = { home: place.home, folder: place.home };
    const agent = await agentIn(elsewhere, "--ide", String(port));
    const { content } = await agent.call("getWorkspaceFolders");
    expect(JSON.stringify(content)).toContain(place.folder);
    const other = await agentIn(elsewhere, "--ide", "1");
    expect((await other.call("getOpenEditors")).content).toEqual([
      { type: "text", text: expect.stringContaining("No editor announces port 1.") },
    ]);
  });

  it("writes nothing but the protocol to standard output, tells no token, and ends with its input", async () => {
    const place = await scene();
    const server = await place.serve();
    const { authToken } = JSON.parse(await readFile(server.lockFiles[0] ?? "", "utf8"));
    place.editor.open(fileUri(place.path("a.ts")), "x");
    const child = spawn(process.execPath, [LOCKSTEP, "mcp"], {
      cwd: place.folder,
      env: { HOME: place.home, PATH: process.env.PATH },
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => (out += chunk));
    child.stderr.on("data", (chunk) => (err += chunk));
    const send = (message: Json) => child.stdin.write(`${JSON.stringify(message)}\n`);
    child.stdin.write("this is no JSON\n");
    send({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "plain", version: "1" },
      },
    });
    send({ jsonrpc: "2.0", method: "notifications/initialized" });
    send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "getOpenEditors" } });
    await expect.poll(() => out, PATIENCE).toContain('"id":1');
    child.stdin.end();
    expect(await once(child, "close")).toEqual([0, null]);
    const messages = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Json);
    expect(messages.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
    expect(messages.find(({ id }) => id === 0)).toMatchObject({
      result: { protocolVersion: "2025-06-18", serverInfo: { name: "lockstep" } },
    });
    expect(out + err).not.toContain(authToken);
    expect(err).toContain(`connected to Lockstep on port ${server.port}`);
  });

  it("says to a person who types it that agents start it", async () => {
    const { home, folder } = await project();
    const line = `exec ${process.execPath} ${LOCKSTEP} mcp`;
    const terminal = spawn("script", ["-qec", line, "/dev/null"], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: home },
    });
    let shown = "";
    terminal.stdout.on("data", (chunk) => (shown += chunk));
    await expect.poll(() => shown, PATIENCE).toContain("claude mcp add editor -- lockstep mcp");
    terminal.stdin.write("\u0003");
    expect((await once(terminal, "close"))[0]).toBe(0);
  });

  it("says what is wrong with its command line", async () => {
    const place = await scene();
    expect(await run(place.home, ["mcp", "--ide", "x"])).toMatchObject({ code: 2, stdout: "" });
    expect((await run(place.home, ["mcp", "--help"])).stdout).toContain("Examples:");
  });
});

import { type Abilities, type Change, type Editor, withAbilities } from "@lockstep/editor";
import { describe, expect, it } from "vitest";
import { Scene } from "./scene.js";
import { WireAgent } from "./wire-agent.js";

describe("the MCP handshake", () => {
  it("takes the agent's version where it is known, and offers the newest where it is not", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve();
    const answers = {
      "2024-11-05": "2024-11-05",
      "2025-03-26": "2025-03-26",
      "2025-06-18": "2025-06-18",
      "2025-11-25": "2025-11-25",
      "2099-01-01": "2025-11-25",
    };
    for (const [asked, agreed] of Object.entries(answers)) {
      await using agent = await WireAgent.open(server);
      const reply = await agent.request(
        "initialize",
        { protocolVersion: asked, capabilities: {} },
        0,
      );
      expect(reply.result).toEqual({
        protocolVersion: agreed,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "Lockstep", version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
      });
    }
  });

  it("answers requests under ids of every kind, 0 and the empty string too", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    for (const id of [0, -1, 1.5, "", "a", 2 ** 53]) {
      expect(await agent.request("ping", undefined, id)).toEqual({
        jsonrpc: "2.0",
        id,
        result: {},
      });
    }
  });

  it("answers before initialize, all but tool calls", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve();
    await using agent = await WireAgent.open(server);
    expect((await agent.request("ping")).result).toEqual({});
    expect((await agent.request("tools/list")).result).toHaveProperty("tools");
    const call = await agent.request("tools/call", { name: "getOpenEditors" });
    expect(call.error).toMatchObject({
      code: -32600,
      message: expect.stringContaining("initialize"),
    });
  });

  it("answers empty lists for what it does not have", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    expect((await agent.request("prompts/list")).result).toEqual({ prompts: [] });
    expect((await agent.request("resources/list")).result).toEqual({ resources: [] });
    const templates = await agent.request("resources/templates/list");
    expect(templates.result).toEqual({ resourceTemplates: [] });
  });

  it("answers what it cannot with the right code", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    const code = async (method: string, params?: unknown) =>
      ((await agent.request(method, params)).error as { code: number }).code;
    expect(await code("no/such")).toBe(-32601);
    expect(await code("tools/call", { name: "noSuchTool" })).toBe(-32602);
    expect(await code("tools/call", { arguments: {} })).toBe(-32602);
    expect(await code("tools/call")).toBe(-32602);
    expect(await code("tools/call", { name: "openDiff", arguments: { tab_name: 1 } })).toBe(-32602);
    agent.send("{not json");
    expect(await agent.next((message) => message.id === null)).toMatchObject({
      error: { code: -32700 },
    });
    for (const bad of [
      "null",
      "42",
      '"x"',
      "{}",
      '{"jsonrpc":"1.0","method":"ping"}',
      "[]",
      "[1]",
    ]) {
      agent.send(bad);
      const reply = await agent.next((message) => message.id === null);
      expect(reply.error).toMatchObject({ code: -32600 });
    }
  });

  it("serves other agents while one sends garbage", async () => {
    await using scene = await Scene.open();
    const good = await scene.agent();
    const bad = await scene.agent();
    const garbage = [
      "",
      "\u0000",
      "{",
      "[[[[",
      "\ud800",
      "null",
      '{"id":"x"}',
      '{"__proto__":{"x":1}}',
    ];
    for (let round = 0; round < 50; round++) for (const text of garbage) bad.send(text);
    bad.socket.send(Buffer.from([0xff, 0xfe]), { binary: true });
    expect((await good.call("getWorkspaceFolders")).isError).toBe(false);
    expect((await bad.request("ping")).result).toEqual({});
    expect(scene.problems).toEqual([]);
  });
});

describe("tools/list", () => {
  const names = async (agent: WireAgent) => {
    const { tools } = (await agent.request("tools/list")).result as { tools: { name: string }[] };
    return tools.map(({ name }) => name);
  };

  it("lists the tools with description and schema", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    expect(await names(agent)).toEqual([
      "openDiff",
      "getDiagnostics",
      "close_tab",
      "closeAllDiffTabs",
      "openFile",
      "getOpenEditors",
      "getWorkspaceFolders",
      "getCurrentSelection",
      "checkDocumentDirty",
      "saveDocument",
      "getLatestSelection",
      "executeCode",
      "open_files",
      "get_all_opened_file_paths",
      "reformat_file",
    ]);
    const { tools } = (await agent.request("tools/list")).result as {
      tools: { name: string; description: string; inputSchema: { required?: string[] } }[];
    };
    const openFile = tools.find(({ name }) => name === "openFile");
    expect(openFile?.description).toBe(
      "Open a file in the editor and optionally select a range of text",
    );
    expect(openFile?.inputSchema).toMatchObject({
      type: "object",
      required: ["filePath"],
      properties: {
        preview: { type: "boolean", default: false },
        makeFrontmost: { default: true },
      },
    });
  });

  it("lists only what the editor can do, and none for one that only tells its selection", async () => {
    await using scene = await Scene.open();
    const { selection, diagnostics } = scene.editor.abilities;
    const context = await scene.agent(
      await scene.serve(
        {},
        withAbilities(scene.editor, () => ({ selection })),
      ),
    );
    expect(await names(context)).toEqual([]);
    const linter = await scene.agent(
      await scene.serve(
        {},
        withAbilities(scene.editor, () => ({ diagnostics })),
      ),
    );
    expect(await names(linter)).toEqual(["getDiagnostics"]);
    const call = await linter.call("openDiff", {
      old_file_path: "/a",
      new_file_contents: "",
      tab_name: "t",
    });
    expect(call).toEqual({ isError: true, texts: ["This editor does not offer openDiff."] });
  });
});

describe("notifications/tools/list_changed", () => {
  it("comes when the editor's abilities change, and the list follows", async () => {
    await using scene = await Scene.open();
    const { tabs, open } = scene.editor.abilities;
    let abilities: Abilities = { tabs };
    const listeners = new Set<(change: Change) => void>();
    const growing: Editor = {
      name: "Growing",
      folders: scene.editor.folders,
      get abilities() {
        return abilities;
      },
      subscribe(listener) {
        listeners.add(listener);
        return { [Symbol.dispose]: () => void listeners.delete(listener) };
      },
      async [Symbol.asyncDispose]() {},
    };
    const agent = await scene.agent(await scene.serve({}, growing));
    expect((await agent.request("tools/list")).result).toMatchObject({
      tools: [
        { name: "getOpenEditors" },
        { name: "getWorkspaceFolders" },
        { name: "get_all_opened_file_paths" },
      ],
    });
    abilities = { open };
    for (const listener of listeners) listener({ kind: "abilities" });
    await agent.next(({ method }) => method === "notifications/tools/list_changed");
    expect((await agent.request("tools/list")).result).toMatchObject({
      tools: [{ name: "openFile" }, { name: "open_files" }],
    });
  });
});

describe("several agents", () => {
  it("are told apart by the editor, and leave one by one", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve();
    const first = await scene.agent(server, "first");
    await scene.agent(server, "second");
    expect(server.agents.map(({ name }) => name)).toEqual(["first", "second"]);
    expect(new Set(server.agents.map(({ id }) => id)).size).toBe(2);
    await scene.sight("agent");
    await scene.sight("agent");
    first.socket.close();
    const { event } = await scene.sight("agent");
    expect(event).toMatchObject({ kind: "left", agent: { name: "first" } });
    expect(server.agents.map(({ name }) => name)).toEqual(["second"]);
  });
});

it("an ability that throws, at once or later, is a failure of the tool and of nothing else", async () => {
  await using scene = await Scene.open();
  const fail = () => {
    throw new Error("the screen is on fire");
  };
  const abilities = {
    ...scene.editor.abilities,
    tabs: fail,
    review: fail,
    open: async () => fail(),
  };
  const agent = await scene.agent(
    await scene.serve(
      {},
      withAbilities(scene.editor, () => abilities),
    ),
  );
  await scene.file("a.ts", "");
  const diff = { old_file_path: scene.path("a.ts"), new_file_contents: "x", tab_name: "t" };
  for (const [tool, args] of [
    ["getOpenEditors", {}],
    ["openFile", { filePath: "a.ts" }],
    ["openDiff", diff],
  ] as const) {
    const { isError, texts } = await agent.call(tool, args);
    expect(isError).toBe(true);
    expect(texts).toEqual([
      expect.stringMatching(/^The editor could not .*: the screen is on fire$/),
    ]);
  }
  expect((await agent.call("getWorkspaceFolders")).isError).toBe(false);
});

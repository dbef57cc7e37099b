import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { connect } from "../src/index.js";
import { FakeIde, json, texts } from "./fake-ide.js";

describe("connect", () => {
  it("offers mcp, sends the token, introduces itself and says that it is ready", async () => {
    await using fake = await FakeIde.start();
    await using connection = await connect(fake.ide, { clientName: "my-agent" });
    expect(connection.server.name).toBe("Fake");
    expect(connection.ide.port).toBe(fake.port);
    const { headers } = fake.upgrades[0]!;
    expect(headers["sec-websocket-protocol"]).toBe("mcp");
    expect(headers["x-claude-code-ide-authorization"]).toBe("the-token");
    expect(headers.origin).toBeUndefined();
    expect((await fake.heard("ide_connected")).params).toEqual({ pid: process.pid });
    expect(fake.received.map(({ method }) => method)).toEqual([
      "initialize",
      "notifications/initialized",
      "ide_connected",
    ]);
    expect(fake.received[0]?.params).toMatchObject({ clientInfo: { name: "my-agent" } });
  });

  it("sends no token where the lock file has none", async () => {
    await using fake = await FakeIde.start({ token: "" });
    await using _connection = await connect(fake.ide);
    expect(fake.upgrades[0]!.headers["x-claude-code-ide-authorization"]).toBeUndefined();
  });

  it("takes a server that selects no subprotocol", async () => {
    await using fake = await FakeIde.start({ selects: false });
    await using connection = await connect(fake.ide);
    expect(connection.server.name).toBe("Fake");
  });

  it("says that the token was refused, before the upgrade or right after it", async () => {
    await using before = await FakeIde.start({ refuse: 401 });
    await expect(connect(before.ide)).rejects.toMatchObject({ code: "wrong-token" });
    await using after = await FakeIde.start({ closeCode: 1008 });
    await expect(connect(after.ide)).rejects.toMatchObject({ code: "wrong-token" });
    await using other = await FakeIde.start({ refuse: 400 });
    await expect(connect(other.ide)).rejects.toThrow("answered 400");
  });

  it("says that nobody is there", async () => {
    const fake = await FakeIde.start();
    const { ide } = fake;
    await fake[Symbol.asyncDispose]();
    await expect(connect(ide)).rejects.toMatchObject({ code: "unreachable" });
  });

  it("gives up when its signal says so", async () => {
    await using fake = await FakeIde.start();
    const signal = AbortSignal.abort(new Error("never mind"));
    await expect(connect(fake.ide, { signal })).rejects.toThrow("never mind");
  });

  it("ends when the editor ends", async () => {
    await using fake = await FakeIde.start({ tool: () => undefined });
    const connection = await connect(fake.ide);
    const answer = connection.call("getOpenEditors");
    await fake.heard("tools/call");
    fake.drop();
    await expect(answer).rejects.toThrow("closed before the answer");
    await connection.closed;
  });
});

describe("a call", () => {
  it("of any tool answers what the tool answered, failed or not", async () => {
    const result = { ...texts("no"), isError: true };
    await using fake = await FakeIde.start({ tool: (name) => (name === "odd" ? 7 : result) });
    await using connection = await connect(fake.ide);
    expect(await connection.call("anything", { a: 1 })).toEqual(result);
    expect((await fake.heard("tools/call")).params).toEqual({
      name: "anything",
      arguments: { a: 1 },
    });
    await expect(connection.call("odd")).rejects.toMatchObject({ code: "not-ide" });
  });

  it("ends at its time-out or its signal, and tells the editor", async () => {
    await using fake = await FakeIde.start({ tool: () => undefined });
    await using connection = await connect(fake.ide);
    const late = connection.tools.getOpenEditors({}, { timeoutMs: 1 });
    await expect(late).rejects.toThrow("no answer in 1 ms");
    expect((await fake.heard("notifications/cancelled")).params).toMatchObject({ requestId: 2 });
    const controller = new AbortController();
    const aborted = connection.tools.openDiff(
      { old_file_path: "/p/a", new_file_contents: "", tab_name: "t" },
      { signal: controller.signal },
    );
    controller.abort(new Error("changed my mind"));
    await expect(aborted).rejects.toThrow("changed my mind");
    // The official extension leaves the tab of a cancelled proposal open.
    const closing = { name: "close_tab", arguments: { tab_name: "t" } };
    await expect.poll(() => fake.received.at(-1)?.params).toEqual(closing);
  });

  it("may be of a method besides MCP's", async () => {
    await using fake = await FakeIde.start();
    await using connection = await connect(fake.ide);
    expect(await connection.request("readFile", { path: "a.md" })).toEqual({});
    expect((await fake.heard("readFile")).params).toEqual({ path: "a.md" });
  });
});

describe("events", () => {
  it("come typed, with nulls and missing fields made good", async () => {
    await using fake = await FakeIde.start();
    const raw: string[] = [];
    await using connection = await connect(fake.ide, {
      onNotification: (method) => raw.push(method),
    });
    const seen: unknown[] = [];
    const note = (event: unknown) => seen.push(event);
    connection.on("selection_changed", note);
    connection.on("at_mentioned", note);
    connection.on("diagnostics_changed", note);
    connection.on("workspace/didChangeActiveEditor", note);
    const done = new Promise((resolve) =>
      connection.on("notifications/tools/list_changed", resolve),
    );
    const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 2 } };
    fake.push("selection_changed", { text: "ab", filePath: "/p/a", selection: range });
    fake.push("selection_changed", { text: null, filePath: null, selection: null });
    fake.push("selection_changed", { text: 7 });
    fake.push("workspace/didChangeActiveEditor", { filePath: "/p/b" });
    fake.push("at_mentioned", { filePath: "/p/a", lineStart: 1, lineEnd: 3 });
    fake.push("at_mentioned", { filePath: "/p/a", lineStart: null, lineEnd: null });
    fake.push("diagnostics_changed", { uris: ["file:///p/a"] });
    fake.push("diagnostics_changed", { uri: "file:///p/%C3%BC", diagnostics: [] });
    fake.push("notifications/tools/list_changed");
    await done;
    const none = { text: "", filePath: null, fileUrl: null, range: null };
    expect(seen).toEqual([
      { ...none, text: "ab", filePath: "/p/a", range },
      none,
      { ...none, filePath: "/p/b" },
      { filePath: "/p/a", lines: { first: 1, last: 3 } },
      { filePath: "/p/a", lines: null },
      { uris: ["file:///p/a"], file: null },
      {
        uris: ["file:///p/%C3%BC"],
        file: { uri: "file:///p/%C3%BC", path: "/p/ü", diagnostics: [] },
      },
    ]);
    expect(raw).toHaveLength(9);
  });

  it("stop when the listener is disposed of", async () => {
    await using fake = await FakeIde.start();
    await using connection = await connect(fake.ide);
    const seen: unknown[] = [];
    connection.on("at_mentioned", (event) => seen.push(event))[Symbol.dispose]();
    const done = new Promise((resolve) => connection.on("selection_changed", resolve));
    fake.push("at_mentioned", { filePath: "/p/a" });
    fake.push("selection_changed", {});
    await done;
    expect(seen).toEqual([]);
  });
});

describe("typed tools", () => {
  /** Connects to an editor whose every tool answers this, and calls one. */
  async function answered<T>(
    result: unknown,
    call: (tools: Awaited<ReturnType<typeof connect>>["tools"]) => Promise<T>,
  ) {
    await using fake = await FakeIde.start({ tool: () => result });
    await using connection = await connect(fake.ide);
    const value = await call(connection.tools);
    const { arguments: args } = (await fake.heard("tools/call")).params as { arguments: unknown };
    return { value, args };
  }
  const diff = { old_file_path: "/p/a", new_file_contents: "new\n", tab_name: "t" };

  it("openDiff: saved with the final text, rejected with the reason, or undecided", async () => {
    const cases: [unknown, unknown][] = [
      [texts("FILE_SAVED", "final\n"), { kind: "saved", text: "final\n" }],
      [texts("FILE_SAVED", ""), { kind: "saved", text: "" }],
      [texts("FILE_SAVED"), { kind: "saved", text: "new\n" }],
      [texts("DIFF_REJECTED"), { kind: "rejected", reason: null }],
      [texts("DIFF_REJECTED", "t", "too long"), { kind: "rejected", reason: "too long" }],
      [texts("TAB_CLOSED"), { kind: "undecided", said: ["TAB_CLOSED"] }],
      [texts("Diff view opened"), { kind: "undecided", said: ["Diff view opened"] }],
      [texts(), { kind: "undecided", said: [] }],
    ];
    for (const [result, expected] of cases) {
      const { value, args } = await answered(result, (tools) => tools.openDiff(diff));
      expect(value).toEqual(expected);
      expect(args).toEqual({ ...diff, new_file_path: "/p/a" });
    }
  });

  it("openFile: sends all that the official extension requires, reads sentence and data", async () => {
    const call = (tools: Awaited<ReturnType<typeof connect>>["tools"]) =>
      tools.openFile({ filePath: "a.ts" });
    const sentence = await answered(texts("Opened file: /p/a.ts"), call);
    expect(sentence.value).toEqual({ message: "Opened file: /p/a.ts", lineCount: null });
    expect(sentence.args).toEqual({
      filePath: "a.ts",
      preview: false,
      startText: "",
      endText: "",
      selectToEndOfLine: false,
      makeFrontmost: true,
    });
    const data = await answered(json({ success: true, message: "m", lineCount: 3 }), call);
    expect(data.value).toEqual({ message: "m", lineCount: 3 });
  });

  it("selections: null where there is none, with and without success", async () => {
    const none = await answered(json({ success: false, message: "No" }), (tools) =>
      tools.getCurrentSelection(),
    );
    expect(none.value).toBeNull();
    expect(none.args).toEqual({});
    const latest = await answered(json({ text: null, filePath: "/p/a" }), (tools) =>
      tools.getLatestSelection(),
    );
    expect(latest.value).toEqual({ text: "", filePath: "/p/a", fileUrl: null, range: null });
  });

  it("open editors, folders and paths: URIs encoded or not", async () => {
    const uris = ["file:///p/my dir#1", "file:///p/my%20dir%231", "file://%2Fp%2Fa", "untitled:U"];
    const tabs = await answered(json({ tabs: uris.map((uri) => ({ uri })) }), (tools) =>
      tools.getOpenEditors(),
    );
    expect(tabs.value.map(({ path }) => path)).toEqual([
      "/p/my dir#1",
      "/p/my dir#1",
      "/p/a",
      null,
    ]);
    const folders = await answered(json({ success: true, folders: [{ path: "/p" }] }), (tools) =>
      tools.getWorkspaceFolders(),
    );
    expect(folders.value).toEqual(["/p"]);
    const paths = await answered(texts("/p/a\n/p/b\n"), (tools) =>
      tools.get_all_opened_file_paths(),
    );
    expect(paths.value).toEqual(["/p/a", "/p/b"]);
    const opened = await answered(json({ opened_files: ["/p/a"] }), (tools) =>
      tools.open_files({ file_paths: ["/p/a", "/p/b"] }),
    );
    expect(opened.value).toEqual(["/p/a"]);
  });

  it("diagnostics: one vocabulary of severities, lines as they are", async () => {
    const start = { line: 1, character: 2 };
    const items = ["Error", "WARNING", "INFO", "WEAK_WARNING", undefined].map((severity) => ({
      message: "m",
      severity,
      range: { start },
      code: 7,
    }));
    const { value } = await answered(json([{ uri: "file:///p/a", diagnostics: items }]), (tools) =>
      tools.getDiagnostics({ uri: "file:///p/a" }),
    );
    expect(value[0]?.path).toBe("/p/a");
    expect(value[0]?.diagnostics.map(({ severity }) => severity)).toEqual([
      "error",
      "warning",
      "information",
      "hint",
      "error",
    ]);
    expect(value[0]?.diagnostics[0]).toMatchObject({ start, end: null, source: null, code: "7" });
  });

  it("documents: whether dirty, whether saved", async () => {
    const dirty = await answered(json({ success: true, isDirty: true }), (tools) =>
      tools.checkDocumentDirty({ filePath: "/p/a" }),
    );
    expect(dirty.value).toBe(true);
    const closed = await answered(json({ success: false, message: "not open" }), (tools) =>
      tools.checkDocumentDirty({ filePath: "/p/a" }),
    );
    expect(closed.value).toBeNull();
    const failed = await answered(json({ success: true, saved: false, message: "m" }), (tools) =>
      tools.saveDocument({ filePath: "/p/a" }),
    );
    expect(failed.value).toEqual({ saved: false, message: "m" });
  });

  it("the rest", async () => {
    const count = await answered(texts("CLOSED_3_DIFF_TABS"), (tools) => tools.closeAllDiffTabs());
    expect(count.value).toBe(3);
    const closed = await answered(texts("TAB_CLOSED"), (tools) =>
      tools.close_tab({ tab_name: "t" }),
    );
    expect(closed.value).toBeUndefined();
    const image = { type: "image", data: "AA==", mimeType: "image/png" };
    const run = await answered({ content: [image] }, (tools) => tools.executeCode({ code: "1" }));
    expect(run.value).toEqual([image]);
    await answered(texts("OK"), (tools) => tools.reformat_file({ file_path: "/p/a" }));
  });

  it("reject where the tool says that it failed, or says nothing sensible", async () => {
    const failed = answered({ ...texts("Tab not found"), isError: true }, (tools) =>
      tools.close_tab({ tab_name: "t" }),
    );
    await expect(failed).rejects.toMatchObject({ code: "tool-failed", message: "Tab not found" });
    const odd = answered(texts("hello"), (tools) => tools.getOpenEditors());
    await expect(odd).rejects.toMatchObject({ code: "not-ide" });
  });
});

describe("a listener that throws", () => {
  const fail = (message: string) => () => {
    throw new Error(message);
  };

  it("keeps a notification from no other listener, and is reported", async () => {
    await using fake = await FakeIde.start();
    const faults: unknown[] = [];
    await using connection = await connect(fake.ide, {
      onNotification: fail("first"),
      onFault: (fault) => faults.push(fault),
    });
    connection.on("at_mentioned", fail("second"));
    connection.on("at_mentioned", async () => fail("third")());
    const mentioned = new Promise((resolve) => connection.on("at_mentioned", resolve));
    fake.push("at_mentioned", { filePath: "/p/a" });
    expect(await mentioned).toEqual({ filePath: "/p/a", lines: null });
    expect(faults).toEqual([new Error("first"), new Error("second"), new Error("third")]);
  });

  it("is a warning of the process by default", async () => {
    await using fake = await FakeIde.start();
    await using connection = await connect(fake.ide);
    connection.on("at_mentioned", fail("mine"));
    const warned = once(process, "warning");
    fake.push("at_mentioned", { filePath: "/p/a" });
    expect(await warned).toMatchObject([
      { name: "LockstepWarning", message: "A listener failed: mine" },
    ]);
  });
});

describe("call", () => {
  const answering = async (result: unknown) => {
    await using fake = await FakeIde.start({ tool: () => result });
    await using connection = await connect(fake.ide);
    return await connection.call("any");
  };

  it("passes on content of other types, and every field, as they came", async () => {
    const result = {
      content: [
        { type: "resource_link", uri: "file:///a", name: "a" },
        { type: "audio", data: "AA==", mimeType: "audio/wav" },
        { type: "text", text: "a", annotations: { priority: 1 } },
      ],
      structuredContent: { a: 1 },
    };
    const answer = await answering(result);
    expect(answer).toEqual(result);
    // By the type alone: what says that it is text has one.
    const texts: string[] = answer.content.flatMap((item) =>
      item.type === "text" ? [item.text] : [],
    );
    expect(texts).toEqual(["a"]);
  });

  it("refuses a known type without what belongs to it", async () => {
    const broken = answering({ content: [{ type: "text" }] });
    await expect(broken).rejects.toMatchObject({ code: "not-ide" });
  });
});

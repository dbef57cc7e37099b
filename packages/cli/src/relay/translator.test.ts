import { describe, expect, it } from "vitest";
import { PathMap } from "./path-map.js";
import { Translator } from "./translator.js";

const PATHS = new PathMap([{ local: "/home/ada/my project", remote: "/srv" }]);
const translator = () => new Translator(() => PATHS);

type Json = Record<string, unknown>;

const request = (method: string, params: unknown, id: unknown = 0) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const call = (name: string, args: unknown, id?: unknown) =>
  request("tools/call", { name, arguments: args }, id);

/** What the editor gets. */
function toEditor(text: string, by = translator()): Json {
  const { to, text: passed } = by.fromAgent(text);
  expect(to).toBe("editor");
  return JSON.parse(passed);
}

/** What the agent gets instead. */
function refused(text: string): Json {
  const { to, text: passed } = translator().fromAgent(text);
  expect(to).toBe("agent");
  return JSON.parse(passed);
}

const argumentsOf = (message: Json) => (message.params as Json).arguments;

describe("what an agent asks", () => {
  it("names the editor's files", () => {
    const proposal = {
      old_file_path: "/srv/a.ts",
      new_file_path: "/srv/a.ts",
      new_file_contents: "/srv/a.ts",
      tab_name: "/srv/a.ts",
    };
    expect(argumentsOf(toEditor(call("openDiff", proposal)))).toEqual({
      ...proposal,
      old_file_path: "/home/ada/my project/a.ts",
      new_file_path: "/home/ada/my project/a.ts",
    });
    expect(argumentsOf(toEditor(call("open_files", { file_paths: ["/srv/a", "b"] })))).toEqual({
      file_paths: ["/home/ada/my project/a", "b"],
    });
    expect(argumentsOf(toEditor(call("getDiagnostics", { uri: "file:///srv/b ü.ts" })))).toEqual({
      uri: "file:///home/ada/my project/b ü.ts",
    });
    expect(argumentsOf(toEditor(call("getDiagnostics", { uri: "file:///srv/b%20c.ts" })))).toEqual({
      uri: "file:///home/ada/my%20project/b%20c.ts",
    });
    expect(argumentsOf(toEditor(call("getDiagnostics", {})))).toEqual({});
    expect(argumentsOf(toEditor(call("getDiagnostics", { uri: "untitled:Untitled-1" })))).toEqual({
      uri: "untitled:Untitled-1",
    });
  });

  it("closes a proposal by the name that it gave it, and a file by its path", () => {
    const by = translator();
    toEditor(call("openDiff", { old_file_path: "/srv/a", tab_name: "/srv/a" }, 1), by);
    expect(argumentsOf(toEditor(call("close_tab", { tab_name: "/srv/a" }, 2), by))).toEqual({
      tab_name: "/srv/a",
    });
    expect(argumentsOf(toEditor(call("close_tab", { tab_name: "/srv/a" }, 3), by))).toEqual({
      tab_name: "/home/ada/my project/a",
    });
    const label = { tab_name: "✻ [Claude Code] a.txt (e0b2cb) ⧉" };
    expect(argumentsOf(toEditor(call("close_tab", label, 4), by))).toEqual(label);
  });

  it("gets no file that lies outside of the map, however it is spelled", () => {
    for (const path of [
      "/etc/passwd",
      "/home/ada/my project/a.ts",
      "/srv/../etc/passwd",
      "../../etc/passwd",
      "..\\..\\etc",
      "file:///etc/passwd",
      "FILE:///etc/passwd",
      "file:///srv/%2e%2e/etc/passwd",
      "file:/srv/../etc/passwd",
      "file://host/srv/a.ts",
      "file:work",
      "C:\\Windows",
      "\\\\server\\share\\a",
    ]) {
      const reply = refused(call("openFile", { filePath: path }, "x"));
      expect(reply.id).toBe("x");
      expect(reply.result, path).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("--map LOCAL=REMOTE") }],
      });
      expect(refused(call("getDiagnostics", { uri: path })).result).toMatchObject({
        isError: true,
      });
    }
  });

  it("gets none by a tool or a field that nobody here knows, either", () => {
    for (const [tool, args] of [
      ["peek", { path: "/etc/passwd" }],
      ["peek", { places: [{ at: "file:///etc/passwd" }] }],
      ["peek", { path: "../../etc/passwd" }],
      ["openFile", { filePath: "/srv/a.ts", path: "/etc/passwd" }],
      ["openFile", { filePath: ["/etc/passwd"] }],
      ["open_files", { file_paths: "/etc/passwd" }],
      ["open_files", { file_paths: [["/etc/passwd"]] }],
    ] as const)
      expect(refused(call(tool, args)).result, JSON.stringify(args)).toMatchObject({
        isError: true,
      });
    const kept = { query: "a b", text: "/* one\n two */", n: 1, no: null, on: true };
    expect(argumentsOf(toEditor(call("peek", { ...kept, path: "/srv/a.ts" })))).toEqual({
      ...kept,
      path: "/home/ada/my project/a.ts",
    });
    const code = { code: "/etc" };
    expect(argumentsOf(toEditor(call("executeCode", code)))).toEqual(code);
  });

  it("is read once: what another parser might read in another way is written anew", () => {
    const doubled = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"openFile",
      "arguments":{"filePath":"/etc/passwd","filePath":"/srv/a"}}}`;
    const { text } = translator().fromAgent(doubled);
    expect(text).not.toContain("passwd");
    expect(refused("{").error).toMatchObject({ code: -32700 });
    expect(refused("[]").error).toMatchObject({ code: -32600 });
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    const holding = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"x","params":${params}}`;
    expect(refused(holding(nested(100_000))).error).toMatchObject({ code: -32700 });
    expect(refused(holding(`[${"[],".repeat(300_000)}0]`)).error).toMatchObject({ code: -32600 });
    expect(
      toEditor('{"jsonrpc":"2.0","id":1,"method":"x","params":{"__proto__":{"a":1}}}'),
    ).toEqual(JSON.parse('{"jsonrpc":"2.0","id":1,"method":"x","params":{"__proto__":{"a":1}}}'));
  });

  it("is no call unless it is one by the rules: an editor that is lax would take it for one", () => {
    const params = { name: "openFile", arguments: { filePath: "/etc/passwd" } };
    const method = "tools/call";
    for (const message of [
      { id: 1, method, params },
      { jsonrpc: "1.0", id: 1, method, params },
      { jsonrpc: "2.0", method, params },
      { jsonrpc: "2.0", id: null, method, params },
      { jsonrpc: "2.0", id: {}, method, params },
      { jsonrpc: "2.0", id: 1, method: [method], params },
      { jsonrpc: "2.0", method: "readFile", params: { path: "/etc/passwd" } },
      { jsonrpc: "2.0", id: 1, method, params: { ...params, name: ["openFile"] } },
      { jsonrpc: "2.0", id: 1, method, params: [params] },
      { jsonrpc: "2.0", id: 1, method, params: { ...params, arguments: ["/etc/passwd"] } },
    ]) {
      expect(refused(JSON.stringify(message)).error, JSON.stringify(message)).toMatchObject({
        code: expect.toSatisfy((code) => code === -32600 || code === -32602),
      });
    }
    const answer = { jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } };
    expect(toEditor(JSON.stringify({ ...answer, method: [method], params }))).toEqual(answer);
  });

  it("comes from this process, and has the roots that the editor has", () => {
    const connected = JSON.stringify({
      jsonrpc: "2.0",
      method: "ide_connected",
      params: { pid: 7 },
    });
    expect(toEditor(connected).params).toEqual({ pid: process.pid });
    const roots = [{ uri: "file:///srv" }, { uri: "file:///elsewhere" }];
    expect(toEditor(JSON.stringify({ jsonrpc: "2.0", id: 5, result: { roots } })).result).toEqual({
      roots: [{ uri: "file:///home/ada/my project" }],
    });
  });

  it("of Obsidian's methods, is below the workspace by definition", () => {
    expect(toEditor(request("readFile", { path: "/srv/a.md" })).params).toEqual({
      path: "/home/ada/my project/a.md",
    });
    for (const path of ["a.md", "/a.md"])
      expect(toEditor(request("readFile", { path })).params).toEqual({ path });
  });
});

describe("what an editor answers", () => {
  const answered = (tool: string, text: string, more: Json = {}) => {
    const by = translator();
    toEditor(call(tool, {}, 3), by);
    const result = { content: [{ type: "text", text }], ...more };
    return JSON.parse(by.fromEditor(JSON.stringify({ jsonrpc: "2.0", id: 3, result }))).result;
  };
  const textOf = (tool: string, value: unknown, indent = 0) =>
    answered(tool, JSON.stringify(value, null, indent)).content[0].text;

  it("names the agent's files, in the layout that it came in", () => {
    const selection = {
      success: true,
      text: "/home/ada/my project",
      filePath: "/home/ada/my project/a.ts",
      fileUrl: "file:///home/ada/my%20project/a.ts",
    };
    for (const indent of [0, 2])
      expect(textOf("getCurrentSelection", selection, indent)).toBe(
        JSON.stringify(
          { ...selection, filePath: "/srv/a.ts", fileUrl: "file:///srv/a.ts" },
          null,
          indent,
        ),
      );
    const uri = "file:///home/ada/my project/a ü.ts";
    expect(JSON.parse(textOf("getDiagnostics", [{ uri, diagnostics: [] }]))).toEqual([
      { uri: "file:///srv/a ü.ts", diagnostics: [] },
    ]);
    const right = "_claude_fs_right:/home/ada/my project/a.ts";
    expect(JSON.parse(textOf("getDiagnostics", [{ uri: right, diagnostics: [] }]))).toEqual([
      { uri: "_claude_fs_right:/srv/a.ts", diagnostics: [] },
    ]);
    expect(
      answered("get_all_opened_file_paths", "/home/ada/my project/a\n/etc/hosts").content[0].text,
    ).toBe("/srv/a\n/etc/hosts");
    const structuredContent = { folders: [{ path: "/home/ada/my project" }] };
    expect(answered("getWorkspaceFolders", "{}", { structuredContent }).structuredContent).toEqual({
      folders: [{ path: "/srv" }],
    });
  });

  it("and everything else as it is", () => {
    expect(textOf("getCurrentSelection", { filePath: "/etc/hosts" })).toBe(
      '{"filePath":"/etc/hosts"}',
    );
    expect(answered("openDiff", "/home/ada/my project").content[0].text).toBe(
      "/home/ada/my project",
    );
    expect(answered("openFile", "Opened /home/ada/my project/a").content[0].text).toBe(
      "Opened /home/ada/my project/a",
    );
    for (const text of ['{"id": 9, "result": {"filePath":"/home/ada/my project"}}', "{", "null"])
      expect(translator().fromEditor(text)).toBe(text);
  });

  it("tells unasked", () => {
    const told = (method: string, params: unknown) =>
      JSON.parse(translator().fromEditor(JSON.stringify({ jsonrpc: "2.0", method, params })))
        .params;
    const filePath = "/home/ada/my project/a.ts";
    expect(told("selection_changed", { text: filePath, filePath })).toEqual({
      text: filePath,
      filePath: "/srv/a.ts",
    });
    expect(told("workspace/didChangeActiveEditor", { filePath })).toEqual({
      filePath: "/srv/a.ts",
    });
    expect(told("at_mentioned", { filePath, lineStart: 1 })).toEqual({
      filePath: "/srv/a.ts",
      lineStart: 1,
    });
    expect(told("diagnostics_changed", { uris: ["file:///home/ada/my%20project/a.ts"] })).toEqual({
      uris: ["file:///srv/a.ts"],
    });
  });
});

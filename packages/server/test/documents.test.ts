import { writeFileSync } from "node:fs";
import { chmod, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { withAbilities } from "@lockstep/editor";
import { describe, expect, it } from "vitest";
import { Scene } from "./scene.js";
import { WireAgent } from "./wire-agent.js";

const range = (from: number, to: number) => ({
  start: { line: 0, character: from },
  end: { line: 0, character: to },
});

describe("getLatestSelection", () => {
  it("is the current one without `success`, and outlives the last tab", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.ts", "hello");
    const agent = await scene.agent();
    expect(await agent.ask("getLatestSelection")).toEqual({
      success: false,
      message: "No selection available",
    });
    scene.editor.open(uri, "hello");
    scene.editor.select(uri, range(0, 5));
    const latest = {
      text: "hello",
      filePath: scene.path("a.ts"),
      fileUrl: uri,
      selection: { ...range(0, 5), isEmpty: false },
    };
    expect(await agent.ask("getLatestSelection")).toEqual(latest);
    await agent.call("close_tab", { tab_name: "a.ts" });
    expect(await agent.ask("getCurrentSelection")).toMatchObject({ success: false });
    expect(await agent.ask("getLatestSelection")).toEqual(latest);
  });
});

describe("checkDocumentDirty", () => {
  it("tells whether an open document has unsaved changes", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.ts", "saved");
    const agent = await scene.agent();
    const filePath = scene.path("a.ts");
    expect(await agent.ask("checkDocumentDirty", { filePath })).toEqual({
      success: false,
      message: `Document not open: ${filePath}`,
    });
    scene.editor.open(uri, "saved");
    const clean = { success: true, filePath, isDirty: false, isUntitled: false };
    expect(await agent.ask("checkDocumentDirty", { filePath: "a.ts" })).toEqual(clean);
    scene.editor.type(uri, "typed");
    expect(await agent.ask("checkDocumentDirty", { filePath })).toEqual({
      ...clean,
      isDirty: true,
    });
    expect(await agent.call("checkDocumentDirty", { filePath: "" })).toEqual({
      isError: true,
      texts: ["File path is required"],
    });
  });
});

describe("saveDocument", () => {
  it("saves an open document, dirty or clean, and no other", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.ts", "saved");
    const agent = await scene.agent();
    const filePath = scene.path("a.ts");
    expect(await agent.ask("saveDocument", { filePath })).toEqual({
      success: false,
      message: `Document not open: ${filePath}`,
    });
    scene.editor.open(uri, "saved");
    scene.editor.type(uri, "typed");
    const saved = { success: true, filePath, saved: true, message: "Document saved successfully" };
    expect(await agent.ask("saveDocument", { filePath })).toEqual(saved);
    expect(await readFile(filePath, "utf8")).toBe("typed");
    expect(await agent.ask("checkDocumentDirty", { filePath })).toMatchObject({ isDirty: false });
    expect(await agent.ask("saveDocument", { filePath })).toEqual(saved);
  });

  it("does not report success when it failed", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.ts", "saved");
    const full = withAbilities(scene.editor, (own) => ({
      ...own,
      save: () => Promise.reject(new Error("no space left on device")),
    }));
    const agent = await scene.agent(await scene.serve({}, full));
    scene.editor.open(uri, "saved");
    scene.editor.type(uri, "typed");
    expect(await agent.ask("saveDocument", { filePath: "a.ts" })).toEqual({
      success: false,
      filePath: scene.path("a.ts"),
      saved: false,
      message: "The editor could not save the document: no space left on device",
    });
    expect(await agent.ask("checkDocumentDirty", { filePath: "a.ts" })).toMatchObject({
      isDirty: true,
    });
  });
});

describe("executeCode", () => {
  const run = { code: "1 + 1" };

  it("runs nothing until the person allows it, and asks each agent's person anew", async () => {
    await using scene = await Scene.open();
    const first = await scene.agent();
    const refused = await first.call("executeCode", run);
    expect(refused).toMatchObject({
      isError: true,
      texts: [expect.stringContaining("not allowed")],
    });
    scene.answer = true;
    expect(await first.call("executeCode", run)).toEqual({ isError: false, texts: ["ran 1 + 1"] });
    scene.answer = false;
    expect(await first.call("executeCode", run)).toMatchObject({ isError: false });
    const second = await scene.agent();
    expect(await second.call("executeCode", run)).toMatchObject({ isError: true });
  });

  it("is asked about again as soon as the person takes it back, and not before", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    scene.answer = true;
    expect(await agent.call("executeCode", run)).toMatchObject({ isError: false });
    scene.answer = false;
    expect(await agent.call("executeCode", run)).toMatchObject({ isError: false });
    scene.editor.takeBack();
    expect(await agent.call("executeCode", run)).toMatchObject({ isError: true });
    scene.answer = true;
    expect(await agent.call("executeCode", run)).toMatchObject({ isError: false });
  });

  it("asks with a name that is no longer than a question can hold", async () => {
    await using scene = await Scene.open();
    const titles: string[] = [];
    const editor = withAbilities(scene.editor, (own) => ({
      ...own,
      confirm: async ({ title, lasting }) => {
        titles.push(title);
        return lasting === "run-code";
      },
    }));
    const agent = await WireAgent.connect(await scene.serve({}, editor), "x".repeat(10_000));
    expect(await agent.call("executeCode", run)).toMatchObject({ isError: false });
    expect(titles).toEqual([`Let ${"x".repeat(100)} run code in your notebooks?`]);
    agent.socket.terminate();
  });

  it("asks once for calls that come together", async () => {
    await using scene = await Scene.open();
    let asked = 0;
    const editor = withAbilities(scene.editor, (own) => ({
      ...own,
      confirm: async () => {
        asked++;
        return true;
      },
    }));
    const agent = await scene.agent(await scene.serve({}, editor));
    await Promise.all([1, 2, 3].map(() => agent.call("executeCode", run)));
    expect(asked).toBe(1);
  });

  it("is refused where nobody can be asked, and not offered where nothing can run", async () => {
    await using scene = await Scene.open();
    const mute = withAbilities(scene.editor, (own) => ({ ...own, confirm: undefined }));
    const agent = await scene.agent(await scene.serve({}, mute));
    expect(await agent.call("executeCode", run)).toMatchObject({ isError: true });
    const without = withAbilities(scene.editor, (own) => ({ ...own, execute: undefined }));
    const other = await scene.agent(await scene.serve({}, without));
    const { tools } = (await other.request("tools/list")).result as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).not.toContain("executeCode");
  });

  it("answers images as images", async () => {
    await using scene = await Scene.open();
    const plots = withAbilities(scene.editor, (own) => ({
      ...own,
      confirm: async () => true,
      execute: async () => [{ kind: "image", mimeType: "image/png", base64: "iVBORw0KGgo=" }],
    }));
    const agent = await scene.agent(await scene.serve({}, plots));
    const reply = await agent.request("tools/call", { name: "executeCode", arguments: run });
    expect(reply.result).toEqual({
      content: [{ type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }],
    });
  });
});

describe("JetBrains' own tools", () => {
  it("open_files opens those that it can, and answers which", async () => {
    await using scene = await Scene.open();
    await scene.file("a.ts", "");
    await scene.file("b.ts", "");
    const agent = await scene.agent();
    const file_paths = [
      scene.path("a.ts"),
      scene.path("missing.ts"),
      "/etc/passwd",
      scene.path("b.ts"),
    ];
    expect(await agent.ask("open_files", { file_paths })).toEqual({
      opened_files: [scene.path("a.ts"), scene.path("b.ts")],
    });
    const { texts } = await agent.call("get_all_opened_file_paths");
    expect(texts).toEqual([`${scene.path("a.ts")}\n${scene.path("b.ts")}`]);
  });

  it("reformat_file rewrites a closed file, and keeps its mode", async () => {
    await using scene = await Scene.open();
    await scene.file("run.sh", "echo  \n");
    await chmod(scene.path("run.sh"), 0o755);
    const agent = await scene.agent();
    expect((await agent.call("reformat_file", { file_path: scene.path("run.sh") })).texts).toEqual([
      "OK",
    ]);
    expect(await readFile(scene.path("run.sh"), "utf8")).toBe("echo\n");
    expect((await stat(scene.path("run.sh"))).mode & 0o777).toBe(0o755);
  });

  it("reformat_file edits an open document, and saves it only if it was clean", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.ts", "saved\n");
    const agent = await scene.agent();
    scene.editor.open(uri, "saved\n");
    scene.editor.type(uri, "typed  \n");
    await agent.call("reformat_file", { file_path: scene.path("a.ts") });
    expect(await readFile(scene.path("a.ts"), "utf8")).toBe("saved\n");
    expect(await agent.ask("checkDocumentDirty", { filePath: "a.ts" })).toMatchObject({
      isDirty: true,
    });
    const found = await agent.call("openFile", { filePath: "a.ts", startText: "typed\n" });
    expect(found.texts[0]).toContain("selected text");
  });

  it("reformat_file stays inside of the workspace", async () => {
    await using scene = await Scene.open();
    scene.answer = true;
    const outside = join(scene.home, "outside.ts");
    writeFileSync(outside, "x  \n");
    const agent = await scene.agent();
    const format = (file_path: string) => agent.call("reformat_file", { file_path });
    expect(await format(outside)).toMatchObject({ isError: true });
    expect(await readFile(outside, "utf8")).toBe("x  \n");
    expect(await format(scene.path("no.ts"))).toEqual({ isError: true, texts: ["File not found"] });
  });
});

describe("the jetbrains dialect", () => {
  it("has its own words for openFile, close_tab and getDiagnostics", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.ts", "x");
    const agent = await scene.agent(await scene.serve({ dialect: "jetbrains" }));
    const call = (tool: string, args: Record<string, unknown>) => agent.call(tool, args);
    expect(await call("getDiagnostics", {})).toEqual({ isError: false, texts: ["[]"] });
    expect((await call("openFile", { filePath: scene.path("a.ts") })).texts).toEqual(["OK"]);
    expect(await call("openFile", { filePath: scene.path("no.ts") })).toEqual({
      isError: true,
      texts: ["Project is closed or directory not found"],
    });
    const item = { message: "m", range: range(0, 1) };
    const severities = ["error", "warning", "information", "hint"] as const;
    scene.editor.report(
      uri,
      severities.map((severity) => ({ ...item, severity })),
    );
    scene.editor.report(await scene.file("b.ts", ""), [{ ...item, severity: "error" }]);
    const [file, ...others] = (await agent.ask("getDiagnostics", { uri: null })) as {
      diagnostics: { severity: string }[];
    }[];
    expect(others).toEqual([]);
    expect(file?.diagnostics.map(({ severity }) => severity)).toEqual([
      "ERROR",
      "WARNING",
      "INFO",
      "WEAK_WARNING",
    ]);
    expect((await call("close_tab", { tab_name: "a.ts" })).texts).toEqual(["OK"]);
    expect(await call("close_tab", { tab_name: "a.ts" })).toEqual({
      isError: true,
      texts: ["Tab not found"],
    });
  });

  it("never answers a proposal in other words", async () => {
    await using scene = await Scene.open();
    await scene.file("a.ts", "x");
    const agent = await scene.agent(await scene.serve({ dialect: "jetbrains" }));
    const args = { old_file_path: scene.path("a.ts"), new_file_contents: "y", tab_name: "t" };
    const answer = agent.call("openDiff", args);
    await scene.proposal();
    expect((await agent.call("close_tab", { tab_name: "t" })).texts).toEqual(["OK"]);
    expect((await answer).texts).toEqual(["DIFF_REJECTED"]);
  });
});

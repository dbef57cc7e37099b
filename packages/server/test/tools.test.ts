import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { plainFileUrl } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { Scene } from "./scene.js";

const range = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});

describe("getCurrentSelection", () => {
  it("answers the selection, or that there is no editor", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a ü.ts", "const a = 1;\n");
    const agent = await scene.agent();
    expect(await agent.ask("getCurrentSelection")).toEqual({
      success: false,
      message: "No active editor found",
    });
    scene.editor.open(uri, "const a = 1;\n");
    scene.editor.select(uri, range(0, 6, 7));
    expect(await agent.ask("getCurrentSelection", {})).toEqual({
      success: true,
      text: "a",
      filePath: scene.path("a ü.ts"),
      fileUrl: uri,
      selection: { ...range(0, 6, 7), isEmpty: false },
    });
  });
});

describe("getOpenEditors", () => {
  it("answers the tabs as VS Code describes them", async () => {
    await using scene = await Scene.open();
    const a = await scene.file("a.ts", "1\n2\n");
    const b = await scene.file("b.md", "x");
    const agent = await scene.agent();
    expect(await agent.ask("getOpenEditors")).toEqual({ tabs: [] });
    scene.editor.open(a, "1\n2\n");
    scene.editor.open(b, "x");
    const common = {
      isPinned: false,
      isPreview: false,
      groupIndex: 0,
      viewColumn: 1,
      isGroupActive: true,
    };
    expect(await agent.ask("getOpenEditors")).toEqual({
      tabs: [
        {
          ...common,
          uri: a,
          isActive: false,
          isDirty: false,
          label: "a.ts",
          fileName: scene.path("a.ts"),
          languageId: "typescript",
          lineCount: 3,
          isUntitled: false,
        },
        {
          ...common,
          uri: b,
          isActive: true,
          isDirty: false,
          label: "b.md",
          fileName: scene.path("b.md"),
          languageId: "markdown",
          lineCount: 1,
          isUntitled: false,
          selection: { ...range(0, 0, 0), isReversed: false },
        },
      ],
    });
  });
});

describe("getWorkspaceFolders", () => {
  it("answers the folders, the main one first", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    const path = scene.folder;
    expect(await agent.ask("getWorkspaceFolders")).toEqual({
      success: true,
      folders: [{ name: "project", uri: `file://${path}`, path, index: 0 }],
      rootPath: path,
      workspaceFile: null,
    });
  });
});

describe("getDiagnostics", () => {
  const item = {
    message: "Cannot find name 'x'.",
    range: range(0, 2, 3),
    source: "ts",
    code: "2304",
  };

  it("answers one file under the very URI that was asked for", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("b ü #1%20.ts", "x");
    const agent = await scene.agent();
    const plain = plainFileUrl(scene.path("b ü #1%20.ts"));
    expect(await agent.ask("getDiagnostics", { uri: plain })).toEqual([
      { uri: plain, diagnostics: [] },
    ]);
    scene.editor.report(uri, [{ ...item, severity: "error" }]);
    const expected = { ...item, severity: "Error" };
    expect(await agent.ask("getDiagnostics", { uri: plain })).toEqual([
      { uri: plain, diagnostics: [expected] },
    ]);
    expect(await agent.ask("getDiagnostics", { uri })).toEqual([{ uri, diagnostics: [expected] }]);
    expect(await agent.ask("getDiagnostics", { uri: scene.path("b ü #1%20.ts") })).toEqual([
      { uri: plain, diagnostics: [expected] },
    ]);
  });

  it("answers all files, unencoded, where none is named", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("b ü.ts", "x");
    const agent = await scene.agent();
    for (const none of [{}, { uri: null }, { uri: "" }]) {
      expect(await agent.ask("getDiagnostics", none)).toEqual([]);
    }
    const severities = ["error", "warning", "information", "hint"] as const;
    scene.editor.report(
      uri,
      severities.map((severity) => ({ ...item, severity })),
    );
    const [file] = (await agent.ask("getDiagnostics", {})) as {
      uri: string;
      diagnostics: { severity: string }[];
    }[];
    expect(file?.uri).toBe(`file://${scene.path("b ü.ts")}`);
    expect(file?.diagnostics.map(({ severity }) => severity)).toEqual([
      "Error",
      "Warning",
      "Information",
      "Hint",
    ]);
  });

  it("refuses what names no file, with a sentence", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    expect(await agent.call("getDiagnostics", { uri: "file://server/share" })).toMatchObject({
      isError: true,
    });
    expect(await agent.call("getDiagnostics", { uri: "a.ts" })).toMatchObject({ isError: true });
  });
});

describe("openFile", () => {
  const text = "import x;\n\nfunction hello() {\n  return 1;\n}\nrest\n";

  it("opens a file, absolute or relative to the first folder", async () => {
    await using scene = await Scene.open();
    await scene.file("src/a.ts", text);
    const agent = await scene.agent();
    const path = scene.path("src/a.ts");
    for (const filePath of [path, "src/a.ts"]) {
      expect((await agent.call("openFile", { filePath })).texts).toEqual([`Opened file: ${path}`]);
    }
    expect(await agent.ask("getCurrentSelection")).toMatchObject({ filePath: path });
  });

  it("selects by text, as far as it is found", async () => {
    await using scene = await Scene.open();
    await scene.file("a.ts", text);
    const agent = await scene.agent();
    const open = async (more: object) => {
      const { texts } = await agent.call("openFile", { filePath: "a.ts", ...more });
      const { selection } = (await agent.ask("getCurrentSelection")) as { selection: object };
      return [texts[0], selection];
    };
    const start = "function hello";
    expect(await open({ startText: start })).toEqual([
      `Opened file and selected text "${start}"`,
      { ...range(2, 0, 14), isEmpty: false },
    ]);
    expect(await open({ startText: start, endText: "}" })).toEqual([
      `Opened file and selected text from "${start}" to "}"`,
      { start: { line: 2, character: 0 }, end: { line: 4, character: 1 }, isEmpty: false },
    ]);
    expect(await open({ startText: start, endText: "return", selectToEndOfLine: true })).toEqual([
      `Opened file and selected text from "${start}" to "return"`,
      { start: { line: 2, character: 0 }, end: { line: 3, character: 11 }, isEmpty: false },
    ]);
    expect(await open({ startText: start, endText: "import" })).toEqual([
      `Opened file and positioned at "${start}" (end text "import" not found)`,
      { ...range(2, 0, 0), isEmpty: true },
    ]);
    const [absent] = await open({ startText: "no such" });
    expect(absent).toBe('Opened file, but text "no such" not found');
  });

  it("finds text in what the person has typed, not in what is saved", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.ts", "saved");
    const agent = await scene.agent();
    scene.editor.open(uri, "saved");
    scene.editor.type(uri, "\ntyped");
    const { texts } = await agent.call("openFile", { filePath: "a.ts", startText: "typed" });
    expect(texts).toEqual(['Opened file and selected text "typed"']);
    expect(await agent.ask("getCurrentSelection")).toMatchObject({ text: "typed" });
  });

  it("opens behind the active tab when asked to, and describes the file", async () => {
    await using scene = await Scene.open();
    const mine = await scene.file("mine.ts", "");
    await scene.file("a.ts", text);
    const agent = await scene.agent();
    scene.editor.open(mine, "");
    const reply = await agent.ask("openFile", {
      filePath: "a.ts",
      makeFrontmost: false,
      preview: true,
    });
    const path = scene.path("a.ts");
    expect(reply).toEqual({
      success: true,
      filePath: path,
      fileUrl: `file://${path}`,
      message: `Opened file: ${path}`,
      languageId: "typescript",
      lineCount: 7,
      isDirty: false,
      isUntitled: false,
      isClosed: false,
    });
    expect(await agent.ask("getCurrentSelection")).toMatchObject({ fileUrl: mine });
  });

  it("says that a file is not there", async () => {
    await using scene = await Scene.open();
    await scene.file("folder/a.ts", "");
    const agent = await scene.agent();
    const open = (filePath: string) => agent.call("openFile", { filePath });
    for (const name of ["no.ts", "folder", "~/a.ts"]) {
      expect(await open(name)).toEqual({
        isError: true,
        texts: [`File not found: ${scene.path(name)}`],
      });
    }
    expect(await open("")).toEqual({ isError: true, texts: ["File path is required"] });
  });

  it("asks the person before it opens a file outside of the workspace, through links too", async () => {
    await using scene = await Scene.open();
    const outside = join(scene.home, "secret.txt");
    await writeFile(outside, "secret");
    await scene.file("a.ts", "");
    await symlink(outside, scene.path("link.txt"));
    const agent = await scene.agent();
    const ways = [outside, "../secret.txt", "link.txt"];
    for (const filePath of ways) {
      expect(await agent.call("openFile", { filePath, startText: "secret" })).toMatchObject({
        isError: true,
        texts: [expect.stringContaining("outside of the workspace")],
      });
    }
    expect(await agent.ask("getOpenEditors")).toEqual({ tabs: [] });
    scene.answer = true;
    for (const filePath of ways) {
      expect(await agent.call("openFile", { filePath })).toMatchObject({ isError: false });
    }
  });

  it("asks in one line, whatever the file is called", async () => {
    await using scene = await Scene.open();
    const outside = join(scene.home, "a\nPress yes to go on\u202e.txt");
    await writeFile(outside, "");
    const agent = await scene.agent();
    await agent.call("openFile", { filePath: outside });
    const [question] = scene.questions;
    expect(question?.detail).not.toMatch(/[\n\u202e]/);
    expect(question?.detail).toContain("a\ufffdPress yes");
  });
});

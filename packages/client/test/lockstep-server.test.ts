import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryEditor } from "@lockstep/editor";
import { fileUri } from "@lockstep/protocol";
import { disk, type LockstepServer, serve } from "@lockstep/server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseIde, connect, findIdes } from "../src/index.js";

let home: string;
let path: string;
let editor: InMemoryEditor;
let server: LockstepServer;

const options = () => ({ configDir: join(home, "config"), stateDir: join(home, "state") });

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "lockstep-client-")));
  const folder = join(home, "my project");
  await mkdir(folder);
  path = join(folder, "a ü.ts");
  await writeFile(path, "const a = 1;\n");
  editor = new InMemoryEditor({
    folders: [folder],
    load: async (uri) => disk.read(decodeURIComponent(uri.slice("file://".length))),
  });
  server = await serve(editor, options());
});

afterEach(async () => {
  await server.stop();
  await rm(home, { recursive: true });
});

async function connectHere(reconnect?: { delaysMs: number[] }) {
  const find = { configDir: options().configDir, env: {} };
  const ide = chooseIde(await findIdes(find), { cwd: join(home, "my project"), env: {} });
  return connect(ide, { reconnect: reconnect && { ...reconnect, find } });
}

describe("the client with our own server", () => {
  it("reads what every tool answers", async () => {
    await using connection = await connectHere();
    const { tools } = connection;
    expect(await tools.getCurrentSelection()).toBeNull();
    expect(await tools.openFile({ filePath: path, startText: "a = 1" })).toMatchObject({
      message: 'Opened file and selected text "a = 1"',
    });
    expect(await tools.getCurrentSelection()).toMatchObject({
      text: "a = 1",
      filePath: path,
      range: { start: { line: 0, character: 6 }, end: { line: 0, character: 11 } },
    });
    expect(await tools.getOpenEditors()).toMatchObject([{ path, isActive: true, isDirty: false }]);
    expect(await tools.get_all_opened_file_paths()).toEqual([path]);
    expect(await tools.getWorkspaceFolders()).toEqual([join(home, "my project")]);
    expect(await tools.checkDocumentDirty({ filePath: path })).toBe(false);
    const start = { line: 0, character: 0 };
    const problem = { message: "no", severity: "warning", range: { start, end: start } } as const;
    editor.report(fileUri(path), [problem]);
    expect(await tools.getDiagnostics()).toMatchObject([
      { path, diagnostics: [{ message: "no", severity: "warning", start }] },
    ]);
    expect(await tools.closeAllDiffTabs()).toBe(0);
    await tools.close_tab({ tab_name: path });
    expect(await tools.getOpenEditors()).toEqual([]);
    const missing = tools.openFile({ filePath: "missing.ts" });
    await expect(missing).rejects.toMatchObject({ code: "tool-failed" });
  });

  it("reads what the vault's methods answer", async () => {
    await using connection = await connectHere();
    const { vault } = connection;
    const name = "a ü.ts";
    expect(await vault.listFiles()).toEqual([name]);
    expect(await vault.listFiles("*.md")).toEqual([]);
    expect(await vault.readFile(name)).toBe("const a = 1;\n");
    expect(await vault.getWorkspaceInfo()).toMatchObject({ name: "my project", fileCount: 1 });
    expect(await vault.getCurrentFile()).toBeNull();
    editor.open(fileUri(path), "const a = 1;\n");
    expect(await vault.getCurrentFile()).toBe(name);
    expect(await vault.getOpenFiles()).toEqual([name]);
    await expect(vault.writeFile(name, "")).rejects.toThrow("switched off");
    await expect(vault.readFile("../secret")).rejects.toThrow("inside of the workspace");
  });

  it("hears what a person does, and gets the person's answer", async () => {
    await using connection = await connectHere();
    const selected = new Promise((resolve) => connection.on("selection_changed", resolve));
    const mentioned = new Promise((resolve) => connection.on("at_mentioned", resolve));
    editor.open(fileUri(path), "const a = 1;\n");
    editor.mention(fileUri(path), { first: 0, last: 0 });
    expect(await selected).toMatchObject({ filePath: path, text: "" });
    expect(await mentioned).toEqual({ filePath: path, lines: { first: 0, last: 0 } });
    editor.watch((sight) => {
      if (sight.kind === "shown") editor.accept(sight.proposal.id);
    });
    const proposal = { old_file_path: path, new_file_contents: "const a = 2;\n", tab_name: "t" };
    expect(await connection.tools.openDiff(proposal)).toEqual({
      kind: "saved",
      text: "const a = 2;\n",
    });
  });

  it("takes back a proposal that it no longer waits for", async () => {
    await using connection = await connectHere();
    const controller = new AbortController();
    const withdrawn = new Promise((resolve) =>
      editor.watch((sight) => {
        if (sight.kind === "shown") controller.abort(new Error("enough"));
        if (sight.kind === "withdrawn") resolve(sight.why);
      }),
    );
    const proposal = { old_file_path: path, new_file_contents: "", tab_name: "t" };
    const answer = connection.tools.openDiff(proposal, { signal: controller.signal });
    await expect(answer).rejects.toThrow("enough");
    expect(await withdrawn).toBe("cancelled");
  });

  it("is there again when the editor is", async () => {
    await using connection = await connectHere({ delaysMs: [0, 10, 10, 10, 100, 1_000] });
    const restored = new Promise((resolve) => connection.on("restored", () => resolve(true)));
    await server.stop();
    server = await serve(editor, options());
    expect(await restored).toBe(true);
    expect(await connection.tools.getOpenEditors()).toEqual([]);
  });
});

import { readFile as readDisk, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Scene } from "./scene.js";
import { WireAgent } from "./wire-agent.js";

const errorOf = async (agent: WireAgent, method: string, params?: object) =>
  (await agent.request(method, params)).error as { code: number; message: string };

const resultOf = async (agent: WireAgent, method: string, params?: object) =>
  (await agent.request(method, params)).result;

describe("the vault methods", () => {
  it("are plain JSON-RPC, before initialize too", async () => {
    await using scene = await Scene.open();
    await scene.file("notes/a.md", "# A\r\n");
    await using agent = await WireAgent.open(await scene.serve());
    expect(await resultOf(agent, "readFile", { path: "notes/a.md" })).toBe("# A\r\n");
    expect(await resultOf(agent, "readFile", { path: "/notes/a.md" })).toBe("# A\r\n");
    const tool = await agent.request("tools/call", { name: "getOpenEditors" });
    expect(tool.error).toMatchObject({ code: -32600 });
  });

  it("say in one form what failed", async () => {
    await using scene = await Scene.open();
    await scene.file("folder/a.md", "");
    const agent = await scene.agent();
    const notFound = { code: -32603, message: "failed to read file: File not found" };
    expect(await errorOf(agent, "readFile", { path: "no.md" })).toEqual(notFound);
    expect(await errorOf(agent, "readFile", { path: "folder" })).toEqual(notFound);
    expect((await errorOf(agent, "readFile", { path: 7 })).code).toBe(-32602);
    expect((await errorOf(agent, "readFile")).code).toBe(-32602);
  });

  it("stay inside of the workspace, through links too", async () => {
    await using scene = await Scene.open();
    await writeFile(join(scene.home, "secret.txt"), "secret");
    await symlink(join(scene.home, "secret.txt"), scene.path("link.txt"));
    await symlink(scene.home, scene.path("up"));
    const agent = await scene.agent(await scene.serve({ vault: { allowWrites: true } }));
    for (const path of ["../secret.txt", "a/../../secret.txt", "~/secret.txt", "", "/", "a\0b"]) {
      expect((await errorOf(agent, "readFile", { path })).code).toBe(-32602);
      expect((await errorOf(agent, "writeFile", { path, content: "" })).code).toBe(-32602);
    }
    for (const path of ["link.txt", "up/secret.txt"]) {
      expect((await errorOf(agent, "readFile", { path })).message).toContain("outside");
      expect((await errorOf(agent, "writeFile", { path, content: "" })).message).toContain(
        "outside",
      );
    }
    expect(
      (await errorOf(agent, "writeFile", { path: "up/new.txt", content: "" })).message,
    ).toContain("outside");
    expect(await readDisk(join(scene.home, "secret.txt"), "utf8")).toBe("secret");
    await scene.file("a..b~.md", "fine");
    expect(await resultOf(agent, "readFile", { path: "a..b~.md" })).toBe("fine");
  });

  it("keep secrets back", async () => {
    await using scene = await Scene.open();
    await scene.file(".env", "secret");
    const agent = await scene.agent();
    expect((await errorOf(agent, "readFile", { path: ".env" })).message).toContain("withheld");
  });
});

describe("writeFile", () => {
  it("is off unless the host allows it", async () => {
    await using scene = await Scene.open();
    await scene.file("a.md", "old");
    const agent = await scene.agent();
    const { code, message } = await errorOf(agent, "writeFile", { path: "a.md", content: "new" });
    expect([code, message]).toEqual([
      -32603,
      "failed to write file: Writing is switched off in this editor",
    ]);
    expect(await readDisk(scene.path("a.md"), "utf8")).toBe("old");
  });

  it("writes and makes files, but never over unsaved work", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.md", "old");
    const agent = await scene.agent(await scene.serve({ vault: { allowWrites: true } }));
    const write = (path: string, content: string) => agent.request("writeFile", { path, content });
    expect((await write("a.md", "new")).result).toEqual({ success: true });
    expect((await write("b.md", "made")).result).toEqual({ success: true });
    expect(await readDisk(scene.path("a.md"), "utf8")).toBe("new");
    expect(await readDisk(scene.path("b.md"), "utf8")).toBe("made");
    scene.editor.open(uri, "new");
    scene.editor.type(uri, "precious");
    expect((await write("a.md", "clobbered")).error).toMatchObject({
      message: "failed to write file: The file has unsaved changes in the editor",
    });
    expect((await write("no/folder.md", "")).error).toMatchObject({
      message: "failed to write file: Folder not found",
    });
    expect(await readDisk(scene.path("a.md"), "utf8")).toBe("new");
  });
});

describe("the workspace", () => {
  it("is listed relative to its root, without what git ignores, by pattern if one is given", async () => {
    await using scene = await Scene.open();
    for (const name of [
      "b.js",
      "src/a.js",
      "src/c.ts",
      "dist/x.js",
      "src/keep.log",
      ".git/config",
    ]) {
      await scene.file(name, "");
    }
    await scene.file(".gitignore", "dist/\n*.log\n");
    await scene.file("src/.gitignore", "!keep.log\n");
    const agent = await scene.agent();
    const files = [".gitignore", "b.js", "src/.gitignore", "src/a.js", "src/c.ts", "src/keep.log"];
    expect(await resultOf(agent, "listFiles")).toEqual(files);
    expect(await resultOf(agent, "listFiles", { pattern: "*.js" })).toEqual(["b.js", "src/a.js"]);
    expect(await resultOf(agent, "listFiles", { pattern: "src/*.ts" })).toEqual(["src/c.ts"]);
    expect(await resultOf(agent, "getWorkspaceInfo", {})).toEqual({
      name: "project",
      path: scene.folder,
      fileCount: files.length,
      type: "workspace",
    });
  });

  it("is called what the host calls it", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent(
      await scene.serve({ vault: { workspaceType: "obsidian-vault" } }),
    );
    expect(await resultOf(agent, "getWorkspaceInfo")).toMatchObject({ type: "obsidian-vault" });
  });

  it("has open files and a current one, or none", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    expect(await resultOf(agent, "getOpenFiles")).toEqual([]);
    expect(await resultOf(agent, "getCurrentFile")).toBeNull();
    scene.editor.open(await scene.file("a.md", ""), "");
    scene.editor.open(await scene.file("deep/b.md", ""), "");
    expect(await resultOf(agent, "getOpenFiles")).toEqual(["a.md", "deep/b.md"]);
    expect(await resultOf(agent, "getCurrentFile", {})).toBe("deep/b.md");
  });
});

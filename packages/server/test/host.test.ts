import { textResult } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import * as z from "zod/mini";
import { hostTool } from "../src/index.js";
import { Scene } from "./scene.js";
import { tokenOf } from "./wire-agent.js";

const wordCount = hostTool({
  contract: {
    name: "wordCount",
    description: "Count the words of a text",
    input: z.object({ text: z.string() }),
  },
  call: async ({ text }, { agent }) => textResult(`${agent.name}: ${text.split(" ").length}`),
});

describe("a host's own tool", () => {
  it("is listed, checked and called like ours", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent(await scene.serve({ tools: [wordCount] }));
    const { tools } = (await agent.request("tools/list")).result as {
      tools: { name: string; inputSchema: object }[];
    };
    expect(tools.at(-1)).toMatchObject({
      name: "wordCount",
      inputSchema: { type: "object", required: ["text"] },
    });
    expect((await agent.call("wordCount", { text: "a b c" })).texts).toEqual(["test-agent: 3"]);
    const bad = await agent.request("tools/call", { name: "wordCount", arguments: { text: 7 } });
    expect(bad.error).toMatchObject({ code: -32602 });
  });

  it("cannot take the place of ours", async () => {
    await using scene = await Scene.open();
    const impostor = hostTool({
      ...wordCount,
      contract: { ...wordCount.contract, name: "openDiff" },
    });
    await expect(scene.serve({ tools: [impostor] })).rejects.toMatchObject({
      code: "tool-name-taken",
    });
  });
});

describe("a host's choices", () => {
  it("never open the server to other machines", async () => {
    await using scene = await Scene.open();
    for (const host of ["0.0.0.0", "::", "192.0.2.1"]) {
      await expect(scene.serve({ host })).rejects.toMatchObject({
        code: "beyond-loopback",
        message: expect.stringContaining("lockstep relay"),
      });
    }
    expect((await scene.serve({ host: "localhost" })).port).toBeGreaterThan(0);
  });

  it("may refuse a wrong token after the upgrade, as JetBrains does", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve({ badToken: "1008", tokenFormat: "64-bytes" });
    expect(Buffer.from(tokenOf(server), "base64url")).toHaveLength(64);
    const headers = { "x-claude-code-ide-authorization": "wrong" };
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/`, ["mcp"], { headers });
    const closed = await new Promise((resolve) => {
      socket.on("close", (code, reason) => resolve([code, reason.toString()]));
    });
    expect(closed).toEqual([1008, "Invalid or missing authentication token"]);
    expect(server.agents).toEqual([]);
  });
});

describe("notifications for other agents than the CLI", () => {
  const item = {
    message: "m",
    severity: "warning",
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
  } as const;

  it("workspace/didChangeActiveEditor comes with another file, or always if the host likes", async () => {
    for (const activeEditorAlways of [false, true]) {
      await using scene = await Scene.open();
      const [a, b] = [await scene.file("a.ts", "aa"), await scene.file("b.ts", "bb")];
      scene.editor.open(a, "aa");
      const agent = await scene.agent(await scene.serve({ activeEditorAlways }));
      const first = await agent.notification("selection_changed");
      expect(await agent.notification("workspace/didChangeActiveEditor")).toEqual(first);
      scene.editor.select(a, item.range);
      await agent.notification("selection_changed");
      scene.editor.open(b, "bb");
      await agent.notification("selection_changed");
      const next = await agent.notification("workspace/didChangeActiveEditor");
      expect(next.filePath).toBe(scene.path(activeEditorAlways ? "a.ts" : "b.ts"));
    }
  });

  it("diagnostics_changed names the files, and for a single one what is wrong with it", async () => {
    await using scene = await Scene.open();
    const [a, b] = [await scene.file("a ü.ts", "aa"), await scene.file("b.ts", "bb")];
    const agent = await scene.agent();
    scene.editor.report(a, [item]);
    scene.editor.report(b, [item]);
    const [uriA, uriB] = [`file://${scene.path("a ü.ts")}`, `file://${scene.path("b.ts")}`];
    expect(await agent.notification("diagnostics_changed")).toEqual({ uris: [uriA, uriB] });
    scene.editor.report(a, []);
    expect(await agent.notification("diagnostics_changed")).toEqual({
      uris: [uriA],
      uri: uriA,
      diagnostics: [],
    });
    scene.editor.report(b, [item]);
    expect(await agent.notification("diagnostics_changed")).toMatchObject({
      uris: [uriB],
      uri: uriB,
      diagnostics: [{ message: "m", severity: "Warning" }],
    });
  });

  it("an agent that finds the editor too old is marked", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    await scene.sight("agent");
    agent.notify("ide_connected", { pid: 1, isPluginVersionUnsupported: false });
    agent.notify("ide_connected", { pid: 1, isPluginVersionUnsupported: true });
    expect((await scene.sight("agent")).event.kind).toBe("outdated");
  });
});

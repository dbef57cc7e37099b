import { type Abilities, type Change, type Editor, InMemoryEditor } from "@lockstep/editor";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { LockstepServer } from "../src/index.js";
import { Scene } from "./scene.js";
import { tokenOf } from "./wire-agent.js";

/** The official SDK has no WebSocket transport for Node, so here is one; it checks every message. */
function transportTo(server: LockstepServer): Transport {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/`, ["mcp"], {
    headers: { "x-claude-code-ide-authorization": tokenOf(server) },
  });
  const transport: Transport = {
    start: () =>
      new Promise((resolve, reject) => {
        socket.once("open", () => resolve());
        socket.once("error", reject);
        socket.on("close", () => transport.onclose?.());
        socket.on("message", (data) => {
          transport.onmessage?.(JSONRPCMessageSchema.parse(JSON.parse(data.toString())));
        });
      }),
    send: async (message: JSONRPCMessage) => socket.send(JSON.stringify(message)),
    close: async () => socket.close(),
  };
  return transport;
}

async function referee(scene: Scene, editor?: Editor): Promise<Client> {
  const client = new Client({ name: "referee", version: "1.0.0" });
  await client.connect(transportTo(await scene.serve({}, editor)));
  return client;
}

describe("to the official MCP client", () => {
  it("the server is an MCP server, by name, version and capabilities", async () => {
    await using scene = await Scene.open();
    const client = await referee(scene);
    expect(client.getServerVersion()?.name).toBe("Lockstep");
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
    expect(await client.ping()).toEqual({});
    await client.close();
  });

  it("every tool is described by a schema that it understands", async () => {
    await using scene = await Scene.open();
    const client = await referee(scene);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(15);
    for (const tool of tools) expect(tool.inputSchema.type).toBe("object");
    await client.close();
  });

  it("tools are called, fail and are refused as MCP has it", async () => {
    await using scene = await Scene.open();
    const client = await referee(scene);
    const folders = await client.callTool({ name: "getWorkspaceFolders" });
    expect(folders.content).toEqual([
      { type: "text", text: expect.stringContaining(scene.folder) },
    ]);
    const failed = await client.callTool({ name: "openFile", arguments: { filePath: "no.ts" } });
    expect(failed.isError).toBe(true);
    const unknown = client.callTool({ name: "noSuchTool" });
    await expect(unknown).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  it("a diff is held, answered, and taken back when it is cancelled", async () => {
    await using scene = await Scene.open();
    await scene.file("a.ts", "old\n");
    const client = await referee(scene);
    const args = { old_file_path: scene.path("a.ts"), new_file_contents: "new\n", tab_name: "t" };
    const call = { name: "openDiff", arguments: args };
    const accepted = client.callTool(call);
    scene.editor.accept((await scene.proposal()).id);
    expect((await accepted).content).toMatchObject([{ text: "FILE_SAVED" }, { text: "new\n" }]);
    const abort = new AbortController();
    const cancelled = client.callTool(call, undefined, { signal: abort.signal });
    await scene.proposal();
    abort.abort("changed my mind");
    await expect(cancelled).rejects.toThrow("changed my mind");
    expect((await scene.sight("withdrawn")).why).toBe("cancelled");
    await client.close();
  });

  it("a changed list of tools is announced", async () => {
    await using scene = await Scene.open();
    const memory = new InMemoryEditor({ folders: [scene.folder] });
    const { tabs, open } = memory.abilities;
    let abilities: Abilities = { tabs };
    let tell: (change: Change) => void = () => {};
    const client = await referee(scene, {
      name: "Growing",
      folders: memory.folders,
      get abilities() {
        return abilities;
      },
      subscribe(listener) {
        tell = listener;
        return { [Symbol.dispose]() {} };
      },
      async [Symbol.asyncDispose]() {},
    });
    const announced = new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
    });
    abilities = { tabs, open };
    tell({ kind: "abilities" });
    await announced;
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("openFile");
    await client.close();
  });
});

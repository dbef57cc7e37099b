import { expect, it } from "vitest";
import { WebSocket } from "ws";
import { Scene } from "./scene.js";
import { tokenOf } from "./wire-agent.js";

const keepalive = { intervalMs: 20, timeoutMs: 200 };

it("an agent that answers JSON-RPC pings stays, however long it is idle", async () => {
  await using scene = await Scene.open();
  const seen: string[] = [];
  const server = await scene.serve({
    keepalive,
    trace: ({ direction, text }) => void (text.includes('"ping"') && seen.push(direction)),
  });
  const agent = await scene.agent(server);
  await expect.poll(() => seen.length).toBeGreaterThan(5);
  expect((await agent.request("ping")).result).toEqual({});
});

it("an agent that answers no JSON-RPC ping stays by its WebSocket pongs", async () => {
  await using scene = await Scene.open();
  const server = await scene.serve({ keepalive });
  const headers = { "x-claude-code-ide-authorization": tokenOf(server) };
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/`, ["mcp"], { headers });
  let pings = 0;
  socket.on("ping", () => pings++);
  await expect.poll(() => pings).toBeGreaterThan(3);
  expect(socket.readyState).toBe(WebSocket.OPEN);
  socket.terminate();
});

it("an agent that answers nothing any more is dropped, and its proposals are withdrawn", async () => {
  await using scene = await Scene.open();
  await scene.file("a.txt", "one\n");
  const server = await scene.serve({ keepalive });
  const agent = await scene.agent(server);
  const args = { old_file_path: scene.path("a.txt"), new_file_contents: "1\n", tab_name: "t" };
  void agent.call("openDiff", args).catch(() => {});
  await scene.proposal();
  await expect.poll(() => scene.editor.proposals.length).toBe(1);
  agent.socket.pause();
  expect((await scene.sight("withdrawn")).why).toBe("disconnected");
  await expect.poll(() => server.agents).toEqual([]);
  agent.socket.resume();
});

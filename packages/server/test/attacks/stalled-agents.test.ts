import { describe, expect, it } from "vitest";
import { Scene } from "../scene.js";
import { request } from "./raw-agent.js";

describe("a hundred agents, of which one has stopped reading", () => {
  it("all hear the last selection within a moment; the one is dropped", async () => {
    await using scene = await Scene.open();
    const text = "x".repeat(200_000);
    const uri = await scene.file("big.txt", text);
    scene.editor.open(uri, text);
    const server = await scene.serve({ keepalive: { intervalMs: 500, timeoutMs: 3_000 } });
    const stalled = await scene.agent(server, "stalled");
    const reading = await Promise.all(Array.from({ length: 99 }, () => scene.agent(server)));
    await Promise.all(reading.map((agent) => agent.notification("selection_changed")));
    stalled.socket.pause();
    const select = (to: number) =>
      scene.editor.select(uri, {
        start: { line: 0, character: 0 },
        end: { line: 0, character: to },
      });
    const lengthTold = async (agent: (typeof reading)[number]) =>
      ((await agent.notification("selection_changed")).text as string).length;
    for (let round = 1; round <= 5; round++) {
      const began = performance.now();
      select(100_000 + round);
      await Promise.all(
        reading.map(async (agent) => {
          while ((await lengthTold(agent)) !== 100_000 + round);
        }),
      );
      expect(performance.now() - began).toBeLessThan(5_000);
    }
    await expect
      .poll(() => server.agents.map(({ name }) => name), { timeout: 10_000 })
      .not.toContain("stalled");
    expect(server.agents).toHaveLength(99);
    stalled.socket.resume();
  });
});

it("an agent that asks and does not read the answers is cut off, others are not", async () => {
  await using scene = await Scene.open();
  const text = "x".repeat(1_000_000);
  const uri = await scene.file("big.txt", text);
  scene.editor.open(uri, text);
  scene.editor.select(uri, { start: { line: 0, character: 0 }, end: { line: 0, character: 1e6 } });
  const server = await scene.serve({ keepalive: false });
  const good = await scene.agent(server, "good");
  const bad = await scene.agent(server, "bad");
  bad.socket.pause();
  for (let id = 0; id < 200; id++) {
    bad.send(request(`a${id}`, "tools/call", { name: "getCurrentSelection" }));
    // In turn, so that it is the answers that pile up and not the questions.
    expect((await good.call("getWorkspaceFolders")).isError).toBe(false);
  }
  await expect.poll(() => server.agents.map(({ name }) => name)).toEqual(["good"]);
  bad.socket.resume();
  await bad.closed;
});

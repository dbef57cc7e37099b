import { fileUri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { Scene } from "./scene.js";
import { WireAgent } from "./wire-agent.js";

const select = (from: number, to: number) => ({
  start: { line: 0, character: from },
  end: { line: 0, character: to },
});

const selections = (agent: WireAgent) =>
  agent.received.filter(({ method }) => method === "selection_changed");

describe("selection_changed", () => {
  it("tells the selection of now some time after ide_connected, and not before", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.ts", "hello world");
    scene.editor.open(uri, "hello world");
    scene.editor.select(uri, select(0, 5));
    const agent = await scene.agent();
    const connected = performance.now();
    scene.editor.select(uri, select(6, 11));
    expect(await agent.notification("selection_changed")).toEqual({
      text: "world",
      filePath: scene.path("a.ts"),
      fileUrl: uri,
      selection: { ...select(6, 11), isEmpty: false },
    });
    // The CLI loses what comes earlier; the wait is half a second, counted from before this test's.
    expect(performance.now() - connected).toBeGreaterThan(400);
    await agent.request("ping");
    expect(selections(agent)).toEqual([]);
  });

  it("sends a flood of changes as few messages, of which the last is the last state", async () => {
    await using scene = await Scene.open();
    const text = "x".repeat(10_000);
    const uri = await scene.file("a.ts", text);
    scene.editor.open(uri, text);
    const agent = await scene.agent();
    await agent.notification("selection_changed");
    const last = 5_000;
    for (let to = 1; to <= last; to++) {
      scene.editor.select(uri, select(0, to));
      if (to % 500 === 0) await agent.request("ping");
    }
    let count = 0;
    for (let to = 0; to !== last; count++) {
      const params = await agent.notification("selection_changed");
      to = (params.selection as { end: { character: number } }).end.character;
    }
    expect(count).toBeLessThan(50);
    await agent.request("ping");
    expect(selections(agent)).toEqual([]);
  });

  it("tells an opened file by an empty selection, and nothing when no document is left", async () => {
    await using scene = await Scene.open();
    const a = await scene.file("a.ts", "a");
    const b = await scene.file("b.ts", "b");
    scene.editor.open(a, "a");
    const agent = await scene.agent();
    await agent.notification("selection_changed");
    scene.editor.open(b, "b");
    expect(await agent.notification("selection_changed")).toMatchObject({
      text: "",
      filePath: scene.path("b.ts"),
      selection: { isEmpty: true },
    });
    for (const tab of ["a.ts", "b.ts"]) await agent.call("close_tab", { tab_name: tab });
    await agent.request("ping");
    expect(
      agent.received.filter(({ params }) => params && !(params as { filePath?: string }).filePath),
    ).toEqual([]);
  });

  it("reaches every agent, and an agent that comes back", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.ts", "hello");
    scene.editor.open(uri, "hello");
    const server = await scene.serve();
    const agents = [await scene.agent(server), await scene.agent(server)];
    for (const agent of agents) {
      expect(await agent.notification("selection_changed")).toMatchObject({ text: "" });
    }
    agents[0]?.socket.terminate();
    const back = await scene.agent(server);
    expect(await back.notification("selection_changed")).toMatchObject({
      filePath: scene.path("a.ts"),
    });
  });

  it("comes without ide_connected too, half a second after initialized", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.ts", "hello");
    scene.editor.open(uri, "hello");
    await using agent = await WireAgent.open(await scene.serve());
    await agent.request("initialize", { protocolVersion: "2024-11-05", capabilities: {} });
    agent.notify("notifications/initialized");
    expect(await agent.notification("selection_changed")).toMatchObject({ text: "" });
  });
});

describe("at_mentioned", () => {
  it("tells lines from 0, and no lines for a whole file", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a b.ts", "");
    const agent = await scene.agent();
    scene.editor.mention(uri, { first: 1, last: 3 });
    scene.editor.mention(uri);
    const filePath = scene.path("a b.ts");
    expect(await agent.notification("at_mentioned")).toEqual({
      filePath,
      lineStart: 1,
      lineEnd: 3,
    });
    expect(await agent.notification("at_mentioned")).toEqual({ filePath });
  });

  it("names all lines of a whole file to an agent that ignores it otherwise", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.ts", "1\n2\n3");
    const folder = fileUri(scene.folder);
    const agent = await scene.agent(undefined, "opencode");
    scene.editor.mention(uri);
    scene.editor.mention(folder);
    scene.editor.mention(uri, { first: 1, last: 1 });
    const seen = [];
    for (let count = 0; count < 3; count++) {
      const { filePath, lineStart, lineEnd } = await agent.notification("at_mentioned");
      seen.push([filePath, lineStart, lineEnd]);
    }
    const path = scene.path("a.ts");
    expect(seen).toEqual([
      [path, 0, 2],
      [scene.folder, 0, 0],
      [path, 1, 1],
    ]);
  });

  it("is kept for the first agent that comes, in order and not without end", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.ts", "");
    const server = await scene.serve();
    for (let line = 0; line < 100; line++) scene.editor.mention(uri, { first: line, last: line });
    const agent = await scene.agent(server);
    const lines = [];
    for (let line = 0; line !== 99; lines.push(line)) {
      line = (await agent.notification("at_mentioned")).lineStart as number;
    }
    expect(lines).toEqual(Array.from({ length: 32 }, (_, index) => 68 + index));
    const later = await scene.agent(server);
    scene.editor.mention(uri, { first: 7, last: 7 });
    expect(await later.notification("at_mentioned")).toMatchObject({ lineStart: 7 });
    expect(await agent.notification("at_mentioned")).toMatchObject({ lineStart: 7 });
  });
});

describe("an agent that has stopped reading", () => {
  it("holds up nobody and piles nothing up", async () => {
    await using scene = await Scene.open();
    const text = "x".repeat(2_000_000);
    const uri = await scene.file("big.txt", text);
    scene.editor.open(uri, text);
    const server = await scene.serve({ keepalive: false });
    const stalled = await scene.agent(server);
    const reading = await scene.agent(server);
    await stalled.notification("selection_changed");
    await reading.notification("selection_changed");
    stalled.socket.pause();
    for (let round = 1; round <= 30; round++) {
      scene.editor.select(uri, select(0, 1_000_000 + round));
      const params = await reading.notification("selection_changed");
      expect((params.text as string).length).toBe(1_000_000 + round);
    }
    stalled.socket.resume();
    let messages = 0;
    for (let length = 0; length !== 1_000_030; messages++) {
      length = ((await stalled.notification("selection_changed")).text as string).length;
    }
    // What the system's own buffers took, and the latest; the rest was never made.
    expect(messages).toBeLessThan(20);
  });
});

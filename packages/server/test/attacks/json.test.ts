import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { hostTool } from "../../src/index.js";
import { Scene } from "../scene.js";
import { type Json, WireAgent } from "../wire-agent.js";
import { longestWaitDuring } from "./latency.js";
import { request } from "./raw-agent.js";

const code = (reply: Json) => (reply.error as { code: number } | undefined)?.code;

async function oldAgent(scene: Scene): Promise<WireAgent> {
  const agent = await WireAgent.open(await scene.serve());
  await agent.request("initialize", { protocolVersion: "2025-03-26", capabilities: {} });
  return agent;
}

describe("JSON that is meant to harm", () => {
  const bombs: Record<string, () => string> = {
    depth: () => "[".repeat(45_000_000) + "]".repeat(45_000_000),
    "depth in params": () =>
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${"[".repeat(20e6)}${"]".repeat(20e6)}}`,
    "empty objects": () => `[${"{},".repeat(20_000_000)}{}]`,
    "many keys": () =>
      `{${Array.from({ length: 2_000_000 }, (_, key) => `"k${key}":1`).join(",")}}`,
  };
  for (const [name, bomb] of Object.entries(bombs)) {
    it(`a bomb of ${name}: -32600, and others wait no longer than a moment`, async () => {
      await using scene = await Scene.open();
      const good = await scene.agent();
      const bad = await scene.agent();
      const text = bomb();
      const refused = () => bad.next((message) => message.id === null);
      bad.send(text);
      const { longestMs } = await longestWaitDuring(good, refused());
      expect(longestMs).toBeLessThan(4_000);
      bad.send(text);
      expect(code(await refused())).toBe(-32600);
    });
  }

  it("one long string is no bomb, nor is one that looks like it inside", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    for (const text of ["x".repeat(30_000_000), '[{\\":,'.repeat(1_000_000)]) {
      expect((await agent.request("ping", { text })).result).toEqual({});
    }
  });

  it("a depth that is no bomb is answered like anything else", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    agent.send(
      `{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{"name":"close_tab","arguments":{"tab_name":${deep}}}}`,
    );
    expect(code(await agent.next(({ id }) => id === "deep"))).toBe(-32602);
  });

  it("__proto__ and constructor change nothing", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    for (const key of ["__proto__", "constructor", "prototype"]) {
      const params = `{"name":"getWorkspaceFolders","arguments":{"${key}":{"polluted":true}},"${key}":{"polluted":true}}`;
      agent.send(
        `{"jsonrpc":"2.0","id":"${key}","method":"tools/call","params":${params},"${key}":{"polluted":true}}`,
      );
      expect(await agent.next(({ id }) => id === key)).toHaveProperty("result");
      expect(code(await agent.request("tools/call", { name: key }))).toBe(-32602);
      expect(code(await agent.request(key))).toBe(-32601);
    }
    expect({}).not.toHaveProperty("polluted");
  });

  it("a batch without measure: -32600, one reply", async () => {
    await using scene = await Scene.open();
    await using agent = await oldAgent(scene);
    agent.send(`[${"1,".repeat(100_000)}1]`);
    expect(code(await agent.next(({ id }) => id === null))).toBe(-32600);
    agent.send(`[${request(1, "ping")},1]`);
    await agent.next((message) => Array.isArray(message) && message.length === 2);
  });

  it("an id in use, null or of no kind: -32600; 0 is an id", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const agent = await scene.agent();
    const diff = { old_file_path: scene.path("a.txt"), new_file_contents: "1\n", tab_name: "t" };
    agent.send(request("same", "tools/call", { name: "openDiff", arguments: diff }));
    const { id } = await scene.proposal();
    agent.send(request("same", "ping"));
    expect(code(await agent.next((message) => message.id === "same"))).toBe(-32600);
    scene.editor.accept(id);
    expect(await agent.next((message) => message.id === "same")).toHaveProperty("result");
    for (const bad of [null, true, {}, []]) {
      agent.send(request(bad, "ping"));
      expect(code(await agent.next((message) => message.id === null))).toBe(-32600);
    }
    expect((await agent.request("ping", undefined, 0)).result).toEqual({});
  });

  it("lone surrogates, NUL and marks of direction in a name are taken as they are", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const agent = await scene.agent();
    for (const tab_name of ["\ud800", "\udfff\ud800", "a\u0000b", "\u202egnp.exe", "\u001b[2J"]) {
      const args = { old_file_path: scene.path("a.txt"), new_file_contents: "1\n", tab_name };
      const answer = agent.call("openDiff", args);
      scene.editor.reject((await scene.proposal()).id);
      expect((await answer).texts[0]).toBe("DIFF_REJECTED");
    }
    expect(scene.problems).toEqual([]);
  });
});

describe("what one agent asks at one time", () => {
  it("is bounded: more is refused until something is answered, and others are served", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const greedy = await scene.agent();
    const good = await scene.agent();
    const ask = (id: number) => {
      const args = {
        old_file_path: scene.path("a.txt"),
        new_file_contents: "x",
        tab_name: `${id}`,
      };
      greedy.send(request(`d${id}`, "tools/call", { name: "openDiff", arguments: args }));
    };
    for (let id = 0; id < 1_000; id++) ask(id);
    const refused = await greedy.next((message) => message.error !== undefined);
    expect(refused.error).toMatchObject({ code: -32000, message: expect.stringMatching(/wait/) });
    await expect.poll(() => scene.editor.proposals.length).toBe(256);
    expect((await good.call("getWorkspaceFolders")).isError).toBe(false);
    scene.editor.reject(scene.editor.proposals[0]?.id ?? "");
    await greedy.next((message) => message.result !== undefined);
    expect((await greedy.request("ping")).result).toEqual({});
  });

  it("is bounded for one that cancels at once, too", async () => {
    await using scene = await Scene.open();
    const never = hostTool({
      contract: { name: "never", description: "", input: z.object({}) },
      call: () => new Promise(() => {}),
    });
    const agent = await scene.agent(await scene.serve({ tools: [never] }));
    for (let id = 0; id < 1_000; id++) {
      agent.send(request(`n${id}`, "tools/call", { name: "never" }));
      agent.notify("notifications/cancelled", { requestId: `n${id}` });
    }
    expect(code(await agent.next((message) => message.error !== undefined))).toBe(-32000);
  });
});

it("an answer that JSON cannot hold is an internal error of that request, and of nothing else", async () => {
  await using scene = await Scene.open();
  const circle: { content: unknown[] } = { content: [] };
  circle.content.push(circle);
  const answers: Record<string, unknown> = { circle, bigint: { content: [1n] } };
  const tools = Object.entries(answers).map(([name, answer]) =>
    hostTool({
      contract: { name, description: "", input: z.object({}) },
      call: async () => answer as never,
    }),
  );
  const agent = await scene.agent(await scene.serve({ tools }));
  for (const name of Object.keys(answers)) {
    expect(code(await agent.request("tools/call", { name }))).toBe(-32603);
  }
  expect((await agent.request("ping")).result).toEqual({});
  expect(scene.problems).toHaveLength(2);
});

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { WebSocket } from "ws";
import type { LockstepServer } from "../../src/index.js";
import { Scene } from "../scene.js";
import { tokenOf } from "../wire-agent.js";
import { longestWaitDuring } from "./latency.js";
import { type Fuzz, Mutator } from "./mutator.js";
import { request } from "./raw-agent.js";

const MESSAGES = 100_000;
const FUZZERS = 10;
const VISITS = 4;
const AT_ONCE = 50;
/** Another seed finds other things; this one finds the same again. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_250_624);

/** A fuzzer that knows what the server has read: messages are taken in order. */
class Fuzzer {
  readonly #socket: WebSocket;
  #fences = 0;
  #passed: (() => void) | undefined;
  replies = 0;
  readonly bad: string[] = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data: Buffer) => this.#check(data.toString()));
  }

  static async open(server: LockstepServer, protocolVersion: string): Promise<Fuzzer> {
    const headers = { "x-claude-code-ide-authorization": tokenOf(server) };
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/`, ["mcp"], { headers });
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "fuzzer" } };
    socket.send(request("hello", "initialize", params));
    return new Fuzzer(socket);
  }

  /** Resolves when the server has taken them all. */
  async send(messages: readonly Fuzz[]): Promise<void> {
    const passed = new Promise<void>((resolve) => {
      this.#passed = resolve;
    });
    for (const { text, binary } of messages) this.#socket.send(text, { binary });
    this.#socket.send(request(`fence ${++this.#fences}`, "ping"));
    await passed;
  }

  leave(): void {
    this.#socket.terminate();
  }

  /** Whatever was sent, what comes back is JSON-RPC, and no fault of the server's own. */
  #check(text: string): void {
    const reply = JSON.parse(text);
    for (const one of Array.isArray(reply) ? reply : [reply]) {
      const sound =
        one.jsonrpc === "2.0" && ("method" in one || "result" in one !== "error" in one);
      if (!sound || one.error?.message === "Internal error") this.bad.push(text);
      this.replies++;
      if (one.id === `fence ${this.#fences}`) this.#passed?.();
    }
  }
}

/** Sends its share, and leaves every so often in the midst of things, with proposals open. */
async function fuzz(server: LockstepServer, scene: Scene, seed: number): Promise<number> {
  const mutator = new Mutator(seed, scene.folder);
  const version = seed % 2 === 0 ? "2025-03-26" : "2025-11-25";
  let replies = 0;
  for (let visit = 0; visit < VISITS; visit++) {
    const fuzzer = await Fuzzer.open(server, version);
    for (let sent = 0; sent < MESSAGES / FUZZERS / VISITS; sent += AT_ONCE) {
      await fuzzer.send(Array.from({ length: AT_ONCE }, () => mutator.next()));
    }
    fuzzer.leave();
    expect(fuzzer.bad).toEqual([]);
    replies += fuzzer.replies;
  }
  return replies;
}

/** Bytes of live objects, after everything else is gone. */
function liveBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

it(`a hundred thousand random and mutated messages end nothing, leak nothing and delay nobody (seed ${SEED})`, {
  timeout: 120_000,
}, async () => {
  await using scene = await Scene.open();
  for (const name of ["a.txt", "b.ts", ".env"]) await scene.file(name, `text of ${name}\n`);
  const server = await scene.serve({ keepalive: false });
  const good = await scene.agent(server, "good");
  await fuzz(server, scene, SEED - 1);
  await expect.poll(() => server.agents.length).toBe(1);
  scene.sights.length = 0;
  const before = liveBytes();
  const fuzzers = Array.from({ length: FUZZERS }, (_, at) => fuzz(server, scene, SEED + at));
  const all = Promise.all(fuzzers);
  const { asked, longestMs } = await longestWaitDuring(good, all);
  const replies = (await all).reduce((sum, one) => sum + one, 0);
  expect(replies).toBeGreaterThan(MESSAGES / 10);
  expect(asked).toBeGreaterThan(100);
  expect(longestMs).toBeLessThan(2_000);
  await expect.poll(() => server.agents.map(({ name }) => name)).toEqual(["good"]);
  expect(scene.editor.proposals).toEqual([]);
  expect(scene.problems).toEqual([]);
  scene.sights.length = 0;
  good.received.length = 0;
  await expect.poll(() => liveBytes() - before).toBeLessThan(20_000_000);
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Keepalive } from "./keepalive.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Reply = () => Promise<unknown>;
const answers: Reply = async () => {};
const errs: Reply = () => Promise.reject(new Error("Method not found"));
const silent: Reply = () => new Promise(() => {});

function watch(rpc: Reply, socket: Reply) {
  const seen: string[] = [];
  const replies = { rpc, socket };
  const keepalive = new Keepalive({
    intervalMs: 5_000,
    timeoutMs: 3_000,
    ping: () => {
      seen.push("rpc");
      return replies.rpc();
    },
    socketPing: () => {
      seen.push("socket");
      return replies.socket();
    },
    onDead: () => {
      seen.push("dead");
      keepalive.stop();
    },
  });
  return { seen, replies, keepalive };
}

describe("keepalive", () => {
  it("asks every five seconds, as long as there is an answer, be it an error", async () => {
    for (const reply of [answers, errs]) {
      const { seen, keepalive } = watch(reply, silent);
      await vi.advanceTimersByTimeAsync(15_100);
      expect(seen).toEqual(["rpc", "rpc", "rpc"]);
      keepalive.stop();
    }
  });

  it("gives up an agent that has answered before and does not within three seconds", async () => {
    const { seen, replies } = watch(answers, answers);
    await vi.advanceTimersByTimeAsync(5_100);
    replies.rpc = silent;
    await vi.advanceTimersByTimeAsync(5_000 + 2_800);
    expect(seen).toEqual(["rpc", "rpc"]);
    await vi.advanceTimersByTimeAsync(300);
    expect(seen).toEqual(["rpc", "rpc", "dead"]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen).toEqual(["rpc", "rpc", "dead"]);
  });

  it("asks an agent that has never answered by WebSocket pings", async () => {
    const { seen, replies } = watch(silent, answers);
    await vi.advanceTimersByTimeAsync(5_000 + 3_000 + 5_000 + 100);
    expect(seen).toEqual(["rpc", "socket", "socket"]);
    replies.socket = silent;
    await vi.advanceTimersByTimeAsync(5_000 + 3_000);
    expect(seen).toEqual(["rpc", "socket", "socket", "socket", "dead"]);
  });

  it("starts anew after the machine slept", async () => {
    const { seen, replies } = watch(answers, answers);
    await vi.advanceTimersByTimeAsync(5_100);
    replies.rpc = silent;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(seen).toEqual(["rpc", "rpc"]);
    // Asleep: the clock moves on while no timer fires.
    const now = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 3_600_000);
    replies.rpc = answers;
    await vi.advanceTimersByTimeAsync(3_000);
    now.mockRestore();
    await vi.advanceTimersByTimeAsync(10_100);
    expect(seen).not.toContain("dead");
    expect(seen.length).toBeGreaterThan(2);
  });

  it("asks nothing once stopped", async () => {
    const { seen, keepalive } = watch(answers, answers);
    keepalive.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen).toEqual([]);
  });
});

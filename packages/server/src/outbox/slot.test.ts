import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Slot } from "./slot.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A state that counts up, and what was pushed of it at which millisecond. */
function counter(intervalMs = 50) {
  let state = 0;
  let ready = true;
  const pushed: [number, number][] = [];
  const start = performance.now();
  const slot = new Slot({
    intervalMs,
    ready: () => ready,
    push: async () => void pushed.push([Math.round(performance.now() - start), state]),
  });
  return {
    pushed,
    slot,
    change: () => {
      state++;
      slot.touch();
    },
    setReady: (now: boolean) => {
      ready = now;
      slot.wake();
    },
  };
}

describe("a slot", () => {
  it("pushes the first change at once", () => {
    const { pushed, change } = counter();
    change();
    expect(pushed).toEqual([[0, 1]]);
  });

  it("pushes the latest state at the interval while changes go on, and the last one in the end", async () => {
    const { pushed, change } = counter();
    for (let ms = 0; ms <= 120; ms += 10) {
      change();
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(1_000);
    expect(pushed.map(([at]) => at)).toEqual([0, 50, 100, 150]);
    expect(pushed.at(-1)?.[1]).toBe(13);
  });

  it("is at once again after a rest", async () => {
    const { pushed, change } = counter();
    change();
    await vi.advanceTimersByTimeAsync(200);
    change();
    expect(pushed.at(-1)).toEqual([200, 2]);
  });

  it("waits while the other side takes nothing, then sends the latest alone", async () => {
    const { pushed, change, setReady } = counter();
    setReady(false);
    for (let times = 0; times < 1_000; times++) change();
    await vi.advanceTimersByTimeAsync(500);
    expect(pushed).toEqual([]);
    setReady(true);
    expect(pushed).toEqual([[500, 1_000]]);
  });

  it("has one push under way at a time, and makes up for what changed meanwhile", async () => {
    let finish = () => {};
    let pushes = 0;
    const slot = new Slot({
      intervalMs: 0,
      ready: () => true,
      push: () => {
        pushes++;
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
    });
    slot.touch();
    slot.touch();
    slot.touch();
    expect(pushes).toBe(1);
    finish();
    await vi.advanceTimersByTimeAsync(1);
    expect(pushes).toBe(2);
    finish();
    await vi.advanceTimersByTimeAsync(1);
    expect(pushes).toBe(2);
  });

  it("is silent once closed", async () => {
    const { pushed, change, slot } = counter();
    change();
    change();
    slot.close();
    await vi.advanceTimersByTimeAsync(1_000);
    change();
    expect(pushed).toEqual([[0, 1]]);
  });
});

import { describe, expect, it } from "vitest";
import { type KeptKey, Keys } from "./keys.js";
import { Launches } from "./launches.js";

const DAY = 24 * 60 * 60 * 1000;
const MINUTE = 60 * 1000;

/** Keys under a clock that the test moves, and what they have saved. */
function keysAt(start: number, kept: readonly KeptKey[] = []) {
  const clock = { now: start };
  const saved: KeptKey[][] = [];
  const save = async (keys: KeptKey[]) => void saved.push(keys);
  return { clock, saved, keys: new Keys(kept, save, () => clock.now) };
}

describe("a key", () => {
  it("is good as long as it is used within a week", async () => {
    const { clock, keys } = keysAt(0);
    const key = await keys.create();
    for (let week = 1; week <= 10; week++) {
      clock.now += 6 * DAY;
      expect(await keys.use(key)).toBe(true);
    }
    clock.now += 7 * DAY;
    expect(await keys.use(key)).toBe(false);
  });

  it("is good for the next run too, which gets only its digest", async () => {
    const first = keysAt(0);
    const key = await first.keys.create();
    const kept = first.saved.at(-1) ?? [];
    expect(JSON.stringify(kept)).not.toContain(key);
    const { keys } = keysAt(DAY, kept);
    expect(await keys.use(key)).toBe(true);
    expect(await keys.use(kept[0]?.digest ?? "")).toBe(false);
  });

  it("goes when sixteen newer ones have come, the one used longest ago first", async () => {
    const { clock, keys } = keysAt(0);
    const [old, used] = [await keys.create(), await keys.create()];
    clock.now += DAY;
    expect(await keys.use(used)).toBe(true);
    for (let count = 0; count < 15; count++) await keys.create();
    expect(await keys.use(old)).toBe(false);
    expect(await keys.use(used)).toBe(true);
  });

  it("stays good while a window is open with it, and for a week from then on", async () => {
    const { clock, keys, saved } = keysAt(0);
    const key = await keys.create();
    const release = keys.hold(key);
    for (let hour = 0; hour < 30 * 24; hour++) {
      clock.now += 60 * MINUTE;
      await keys.renewHeld();
    }
    expect(saved.at(-1)?.[0]?.used).toBe(clock.now);
    release();
    clock.now += 6 * DAY;
    await keys.renewHeld();
    clock.now += 2 * DAY;
    expect(await keys.use(key)).toBe(false);
  });

  it("is not written down for each use", async () => {
    const { clock, keys, saved } = keysAt(0);
    const key = await keys.create();
    for (let count = 0; count < 10; count++) await keys.use(key);
    expect(saved).toHaveLength(1);
    clock.now += 61 * MINUTE;
    await keys.use(key);
    expect(saved).toHaveLength(2);
  });
});

describe("a launch", () => {
  it("is good once, for ten minutes", () => {
    const clock = { now: 0 };
    const launches = new Launches(() => clock.now);
    const [soon, late] = [launches.create(), launches.create()];
    clock.now = 10 * MINUTE - 1;
    expect(launches.use(soon)).toBe(true);
    expect(launches.use(soon)).toBe(false);
    clock.now = 10 * MINUTE;
    expect(launches.use(late)).toBe(false);
  });

  it("goes when many newer ones were made", () => {
    const launches = new Launches();
    const [oldest, ...others] = Array.from({ length: 33 }, () => launches.create());
    expect(launches.use(oldest ?? "")).toBe(false);
    expect(others.every((token) => launches.use(token))).toBe(true);
  });
});

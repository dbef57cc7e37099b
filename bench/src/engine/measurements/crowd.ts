import { setTimeout as sleep } from "node:timers/promises";
import { machineTime } from "../../clock.js";
import { Agent } from "../agent.js";
import type { Stroll } from "../channel.js";
import type { Contender } from "../contender.js";
import { columnOf } from "./selection.js";

const AGENTS = 100;
/** Large enough that the kernel cannot take all that one agent leaves unread off the server. */
const STROLL: Stroll = { selections: 240, gapMs: 25, width: 60_000 };
const PATIENCE_MS = 10_000;

/** The same stroll twice: first everybody reads, then one does not. */
export interface Crowd {
  readonly agents: number;
  /** Bytes that the stalled agent was spared: without coalescing they would fill the server. */
  readonly withheld: number;
  /** By how many bytes the server grew in the second stroll: what is in use, and resident. */
  readonly grownUsed: number;
  readonly grownRss: number;
  /** How many of the others got the last selection. */
  readonly upToDate: number;
  /** How long the last selection took to reach the slowest, in ms: first stroll, second stroll. */
  readonly slowestMs: readonly [number, number];
  /** Whether the stalled one got the last selection as soon as it read on. */
  readonly recovered: boolean;
}

/** A hundred agents, of which one stops reading while the selection keeps moving. */
export async function measureCrowd(contender: Contender): Promise<Crowd> {
  const listeners: Listener[] = [];
  for (let count = 0; count < AGENTS; count++) listeners.push(await Listener.connect(contender));
  const [stalled, ...others] = listeners;
  if (!stalled) throw new Error("There is no crowd");

  const undisturbed = await strollBefore(listeners, contender);
  const before = await contender.weigh();
  for (const listener of listeners) listener.forget();
  stalled.agent.stall();
  const disturbed = await strollBefore(others, contender);
  const after = await contender.weigh();
  const frames = Math.max(...others.map((other) => other.frames));

  stalled.agent.recover();
  const recovered = (await stalled.hears(STROLL.selections)) !== undefined;
  await Promise.all(listeners.map(({ agent }) => agent.close()));
  return {
    agents: AGENTS,
    withheld: (frames - stalled.frames) * STROLL.width,
    grownUsed: after.used - before.used,
    grownRss: after.rss - before.rss,
    upToDate: disturbed.upToDate,
    slowestMs: [undisturbed.slowestMs, disturbed.slowestMs],
    recovered,
  };
}

async function strollBefore(listeners: readonly Listener[], contender: Contender) {
  const selectedAt = await contender.stroll(STROLL);
  const heard = await Promise.all(listeners.map((each) => each.hears(STROLL.selections)));
  const arrivals = heard.filter((at) => at !== undefined);
  return {
    upToDate: arrivals.length,
    slowestMs: Math.max(...arrivals) - (selectedAt.at(-1) ?? 0),
  };
}

/** An agent that notes when it first heard of each selection. */
class Listener {
  frames = 0;
  readonly #heardAt = new Map<number, number>();
  #onHeard = () => {};

  private constructor(readonly agent: Agent) {
    agent.onNotification = (method, params) => {
      const column = columnOf(method, params);
      if (column === undefined) return;
      this.frames++;
      if (!this.#heardAt.has(column)) this.#heardAt.set(column, machineTime());
      this.#onHeard();
    };
  }

  static async connect(contender: Contender): Promise<Listener> {
    return new Listener(await Agent.connect(contender));
  }

  /** When it heard of the selection, be it in the past; undefined if it does not in good time. */
  async hears(column: number): Promise<number | undefined> {
    const heard = new Promise<void>((resolve) => {
      this.#onHeard = () => {
        if (this.#heardAt.has(column)) resolve();
      };
      this.#onHeard();
    });
    const enough = new AbortController();
    const late = sleep(PATIENCE_MS, undefined, { signal: enough.signal }).catch(() => {});
    await Promise.race([heard, late]);
    enough.abort();
    return this.#heardAt.get(column);
  }

  forget(): void {
    this.frames = 0;
    this.#heardAt.clear();
  }
}

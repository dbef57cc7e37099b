import { percentile } from "../../statistics.js";
import type { Agent } from "../agent.js";

/** Enough for the compiler of either side to have done its work. */
const WARM_UP = 3_000;
const IN_SEQUENCE = 500;
const CONCURRENT = 1_000;
const IN_FLIGHT = 16;

const call = (agent: Agent) => agent.call("getWorkspaceFolders", {});

export async function warmUp(agent: Agent): Promise<void> {
  for (let count = 0; count < WARM_UP; count++) await call(agent);
  await concurrently(agent, WARM_UP);
}

/** One call after the other, in microseconds. */
export async function measureSequence(agent: Agent): Promise<{ p50: number; p99: number }> {
  const samples: number[] = [];
  for (let count = 0; count < IN_SEQUENCE; count++) {
    const began = performance.now();
    await call(agent);
    samples.push((performance.now() - began) * 1_000);
  }
  return { p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) };
}

/** Calls a second while sixteen are under way at any time. */
export async function measureConcurrency(agent: Agent): Promise<number> {
  const began = performance.now();
  await concurrently(agent, CONCURRENT);
  return CONCURRENT / ((performance.now() - began) / 1_000);
}

async function concurrently(agent: Agent, calls: number): Promise<void> {
  let left = calls;
  const lane = async () => {
    while (left-- > 0) await call(agent);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
}

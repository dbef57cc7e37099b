import { percentile } from "../../statistics.js";
import { Agent } from "../agent.js";
import type { Contender } from "../contender.js";

const CONNECTIONS = 30;

/** From nothing to the answer to initialize, in milliseconds. */
export async function measureConnecting(contender: Contender): Promise<number> {
  const samples: number[] = [];
  for (let count = 0; count < CONNECTIONS; count++) {
    const began = performance.now();
    const agent = await Agent.connect(contender);
    samples.push(performance.now() - began);
    await agent.close();
  }
  return percentile(samples, 0.5);
}

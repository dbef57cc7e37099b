import type { Agent } from "./agent.js";
import type { Contender } from "./contender.js";
import { measureConcurrency, measureSequence, warmUp } from "./measurements/calls.js";
import { measureConnecting } from "./measurements/connecting.js";
import { LargeProposal } from "./measurements/proposals.js";
import { measureSelection } from "./measurements/selection.js";
import type { Row } from "./metrics.js";

const MEGABYTE = 1_000_000;

/** A server in a round, with the agent that stays connected to it. */
export interface Competitor {
  readonly contender: Contender;
  readonly agent: Agent;
}

/** One measurement of a round. */
export interface Step {
  /** How often it goes around. */
  readonly turns: number;
  /** Whether the processors are kept from sleeping meanwhile. */
  readonly awake?: boolean;
  readonly measure: (competitor: Competitor) => Promise<Row>;
}

/** What is measured in each round once all servers are running, in this order. */
export function plan(): readonly Step[] {
  const large1 = new LargeProposal(1);
  const large10 = new LargeProposal(10);
  const large50 = new LargeProposal(50);
  return [
    {
      turns: 1,
      measure: async ({ contender }) => ({ connecting: await measureConnecting(contender) }),
    },
    { turns: 4, measure: selection },
    { turns: 1, measure: warm },
    { turns: 12, awake: true, measure: sequence },
    {
      turns: 24,
      awake: true,
      measure: async ({ agent }) => ({ concurrent: await measureConcurrency(agent) }),
    },
    {
      turns: 1,
      measure: async ({ contender }) => ({ memoryAfter: await residentMegabytes(contender) }),
    },
    { turns: 5, measure: async ({ agent }) => ({ proposal1: await large1.measure(agent) }) },
    { turns: 5, measure: async ({ agent }) => ({ proposal10: await large10.measure(agent) }) },
    { turns: 1, measure: async ({ agent }) => ({ proposal50: await large50.measure(agent) }) },
    // Not the resident set: whether the C library gives such large pieces back is a matter of luck.
    {
      turns: 1,
      measure: async ({ contender }) => ({ memoryHeld: (await contender.weigh()).used / MEGABYTE }),
    },
  ];
}

async function selection({ contender }: Competitor): Promise<Row> {
  // The others have no selection to tell of.
  if (contender.name !== "lockstep") return {};
  const { p50, p99 } = await measureSelection(contender);
  return { selectionP50: p50, selectionP99: p99 };
}

async function warm({ agent }: Competitor): Promise<Row> {
  await warmUp(agent);
  return {};
}

async function sequence({ agent }: Competitor): Promise<Row> {
  const { p50, p99 } = await measureSequence(agent);
  return { callP50: p50, callP99: p99 };
}

export async function residentMegabytes(contender: Contender): Promise<number> {
  return (await contender.weigh()).rss / MEGABYTE;
}

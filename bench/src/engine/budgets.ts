import type { Verdict } from "../verdict.js";
import type { Crowd } from "./measurements/crowd.js";
import type { EngineFigures, MetricId } from "./metrics.js";

const MEGABYTE = 1_000_000;
/** Less than this withheld would say nothing about what the server does with it. */
const TELLING = 2 * MEGABYTE;
/** Far below what would have piled up. The resident set moves by more, as the collector sees fit. */
const FLAT = MEGABYTE;
/** A turn of the event loop, busy with a hundred agents, or two. */
const UNAFFECTED_MS = 100;

export function judge(figures: EngineFigures, crowd: Crowd): readonly Verdict[] {
  const atMost = (promise: string, metric: MetricId, limit: number): Verdict => {
    const ratio = figures.ratio("lockstep", metric) ?? Number.NaN;
    return {
      promise: `${promise} ≤ ${limit} × raw`,
      found: `${ratio.toFixed(2)} × raw`,
      kept: ratio <= limit,
    };
  };
  return [
    atMost("tool call p50", "callP50", 1.25),
    atMost("tool call p99", "callP99", 1.5),
    concurrency(figures),
    atMost("10 MB openDiff", "proposal10", 1.5),
    atMost("idle memory", "memoryIdle", 1.3),
    // What is loaded only when an agent comes is no saving for somebody who uses one.
    atMost("idle memory, an agent connected", "memoryInUse", 1.3),
    atMost("start to lock file", "start", 1.5),
    selection(figures),
    flat(crowd),
    unaffected(crowd),
  ];
}

function concurrency(figures: EngineFigures): Verdict {
  const ratio = figures.ratio("lockstep", "concurrent") ?? Number.NaN;
  return {
    promise: "16 in flight ≥ 0.7 × raw",
    found: `${ratio.toFixed(2)} × raw`,
    kept: ratio >= 0.7,
  };
}

function selection(figures: EngineFigures): Verdict {
  const p99 = figures.best("lockstep", "selectionP99") ?? Number.NaN;
  return {
    promise: "selection to frame p99 ≤ 2 ms",
    found: `${p99.toFixed(2)} ms`,
    kept: p99 <= 2,
  };
}

function flat({ agents, withheld, grownUsed, grownRss }: Crowd): Verdict {
  return {
    promise: `${agents} agents, one stalled: memory flat`,
    found: `${megabytes(grownUsed)} more in use, ${megabytes(grownRss)} more resident, ${megabytes(withheld)} withheld`,
    kept: grownUsed <= FLAT && withheld >= TELLING,
  };
}

function unaffected({ agents, upToDate, slowestMs, recovered }: Crowd): Verdict {
  const [undisturbed, disturbed] = slowestMs;
  return {
    promise: `${agents} agents, one stalled: others unaffected`,
    found: `${upToDate} got the last selection, the slowest after ${disturbed.toFixed(0)} ms (${undisturbed.toFixed(0)} ms before the stall); the stalled one ${recovered ? "got it when it read on" : "never did"}`,
    kept: upToDate === agents - 1 && disturbed <= undisturbed + UNAFFECTED_MS && recovered,
  };
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

import { Notification, type SelectionChanged } from "@lockstep/protocol";
import { machineTime } from "../../clock.js";
import { percentile } from "../../statistics.js";
import { Agent } from "../agent.js";
import type { Contender } from "../contender.js";

/**
 * Farther apart than the server's interval, so that none waits for the one before. Few, because the
 * machine has to be idle for as long as a stroll takes; the slowest of so few is their p99.
 */
const STROLL = { selections: 25, gapMs: 60, width: 200 };

/** From the person's selection to its frame at the agent, in milliseconds, when all is idle. */
export async function measureSelection(
  contender: Contender,
): Promise<{ p50: number; p99: number }> {
  const agent = await Agent.connect(contender);
  const receivedAt = new Map<number, number>();
  const last = new Promise<void>((resolve) => {
    agent.onNotification = (method, params) => {
      const column = columnOf(method, params);
      if (column === undefined) return;
      if (!receivedAt.has(column)) receivedAt.set(column, machineTime());
      if (column === STROLL.selections) resolve();
    };
  });
  const selectedAt = await contender.stroll(STROLL);
  await last;
  await agent.close();
  const samples = selectedAt.map((at, index) => {
    const received = receivedAt.get(index + 1);
    if (received === undefined) throw new Error(`Selection ${index + 1} never came`);
    return received - at;
  });
  return { p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) };
}

/** What tells a stroll's selections apart; undefined for any other notification. */
export function columnOf(method: string, params: unknown): number | undefined {
  if (method !== Notification.selectionChanged) return undefined;
  return (params as SelectionChanged).selection.start.character;
}

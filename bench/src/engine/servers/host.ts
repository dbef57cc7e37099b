import { setTimeout as sleep } from "node:timers/promises";
import { machineTime } from "../../clock.js";
import type { Memory, Order, Place, Report, Stroll } from "../channel.js";

/** An agent that has just come is told nothing for its first 500 ms. */
const REST_MS = 750;

export interface RunningServer {
  readonly port: number;
  readonly lockFile: string;
  /** Selects `width` characters from the column on. Absent where there is nothing to select in. */
  readonly select?: (column: number, width: number) => void;
  readonly stop: () => Promise<void>;
}

/** Runs one server and takes the bench's orders for it. All servers are hosted alike. */
export async function host(start: (place: Place) => Promise<RunningServer>): Promise<void> {
  const server = await start(JSON.parse(process.argv[2] ?? "") as Place);
  const lockedAt = machineTime();
  // A bench that was interrupted leaves no server behind.
  process.on("disconnect", () => process.exit());
  process.on("message", (order: Order) => void perform(order, server));
  report({ kind: "ready", port: server.port, lockFile: server.lockFile, lockedAt });
}

async function perform(order: Order, server: RunningServer): Promise<void> {
  switch (order.kind) {
    case "weigh":
      return report({ kind: "weighed", memory: await weigh() });
    case "stroll":
      return report({ kind: "strolled", selectedAt: await stroll(order.stroll, server) });
    case "stop":
      await server.stop();
      process.disconnect();
  }
}

/**
 * Garbage is collected first and the least of several readings counts, so that it is the memory the
 * server holds and not what the collector has not got round to.
 */
async function weigh(): Promise<Memory> {
  const { gc } = globalThis;
  if (!gc) throw new Error("Start servers with --expose-gc");
  const readings: Memory[] = [];
  for (let reading = 0; reading < 5; reading++) {
    gc();
    await sleep(20);
    const { rss, heapUsed, external } = process.memoryUsage();
    readings.push({ rss, used: heapUsed + external });
  }
  return {
    rss: Math.min(...readings.map(({ rss }) => rss)),
    used: Math.min(...readings.map(({ used }) => used)),
  };
}

async function stroll(plan: Stroll, { select }: RunningServer): Promise<readonly number[]> {
  if (!select) throw new Error("There is nothing to select in");
  const selectedAt: number[] = [];
  // Opening the document is news as well, and the first selection must not wait behind it.
  select(0, plan.width);
  await sleep(REST_MS);
  for (let column = 1; column <= plan.selections; column++) {
    await sleep(plan.gapMs);
    selectedAt.push(machineTime());
    select(column, plan.width);
  }
  return selectedAt;
}

function report(event: Report): void {
  process.send?.(event);
}

import { readFile } from "node:fs/promises";

/** The kernel counts a process's age in ticks of this many milliseconds, on every Linux there is. */
const TICK_MS = 10;

/** When a process began, in milliseconds since 1970; null where the system does not say. */
export async function processStart(pid: number): Promise<number | null> {
  const [stat, machine] = await Promise.all([
    readFile(`/proc/${pid}/stat`, "utf8").catch(() => null),
    readFile("/proc/stat", "utf8").catch(() => null),
  ]);
  // Field 22; the name in field 2 may hold blanks and parentheses.
  const ticks = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  const boot = machine?.match(/^btime (\d+)$/m)?.[1];
  if (ticks === undefined || boot === undefined) return null;
  return Number(boot) * 1_000 + Number(ticks) * TICK_MS;
}

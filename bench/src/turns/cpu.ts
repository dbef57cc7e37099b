import { readFileSync } from "node:fs";

/** Milliseconds in a tick of the kernel's accounts. */
const TICK_MS = 10;

/** Why processor time cannot be measured here; null if it can. */
export const whyNoCpu = (): string | null =>
  process.platform === "linux" ? null : "processor time of ended processes is told by Linux only";

/** Milliseconds of all threads of this process, and of all processes that it started and that have ended. */
export function cpuTime(): number {
  const line = readFileSync("/proc/self/stat", "utf8");
  // After the name, which may have anything in it; then user, system, and both of the children.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
}

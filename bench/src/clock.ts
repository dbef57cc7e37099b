/**
 * Milliseconds on the machine's monotonic clock. Unlike `performance.now()` it counts from the same
 * moment in every process, so a time taken in one can be subtracted from a time taken in another.
 */
export function machineTime(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

// Does nothing, all the time, at the lowest priority: whatever else wants the processor gets it.
import { constants, setPriority } from "node:os";

const SLICE_MS = 10;

setPriority(constants.priority.PRIORITY_LOW);
process.send?.("awake");
spin();

/** In slices, so that the end of the bench is noticed between two of them. */
function spin(): void {
  const until = performance.now() + SLICE_MS;
  while (performance.now() < until);
  if (process.connected) setImmediate(spin);
}

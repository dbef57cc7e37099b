import { UsageError } from "./command.js";

/** What was given as `--ide`. */
export function portNumber(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = Number(given);
  if (Number.isInteger(port) && port > 0 && port < 65536) return port;
  throw new UsageError(`--ide takes a port number, not ${given}`);
}

import { printable } from "@lockstep/protocol";
import { WorkbenchError } from "../errors.js";

/** The question was taken back; nobody hears this. */
export class Cancelled extends Error {}

/** What the server itself says: it cannot answer this. */
export class ServerRefusal extends WorkbenchError {
  /** The protocol's number for why; null if there is none. */
  readonly code: number | null;

  constructor(name: string, problem: unknown) {
    const message = problem instanceof Error ? problem.message : String(problem);
    super(`${name} could not do it: ${printable(message).slice(0, 500)}`);
    const { code } = (problem ?? {}) as { readonly code?: unknown };
    this.code = typeof code === "number" ? code : null;
  }
}

import { printable } from "@lockstep/protocol";
import { reason } from "../errors.js";

/**
 * What a server does with faults by default. They may quote what an agent sent, and end in somebody's
 * terminal: characters that could redraw it, or turn the direction of writing, are taken out.
 */
export function warn(problem: unknown): void {
  process.emitWarning(printable(reason(problem)), "LockstepWarning");
}

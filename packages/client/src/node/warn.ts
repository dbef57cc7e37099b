import { printable } from "@lockstep/protocol";

/**
 * What a connection does with faults by default. They may quote what an editor sent, and end in
 * somebody's terminal: characters that could redraw it are taken out.
 */
export function warn(fault: unknown): void {
  const said = fault instanceof Error ? fault.message : String(fault);
  process.emitWarning(printable(`A listener failed: ${said}`), "LockstepWarning");
}

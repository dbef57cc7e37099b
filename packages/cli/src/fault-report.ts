import { printable } from "@lockstep/protocol";

/** Faults go to the terminal, without what could redraw it. */
export function report(problem: unknown): void {
  const text = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  console.error(text.split("\n").map(printable).join("\n"));
}

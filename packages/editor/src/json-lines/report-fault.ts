/** For what fails with nobody to answer to: it is seen, and the conversation goes on. */
export function reportFault(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}

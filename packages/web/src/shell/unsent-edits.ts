import { linkStatus } from "../replica/link.js";
import { areEditsComing, hasUnsentEdits } from "./parts.js";

/** Edits travel within milliseconds; this is how often it is looked whether they have arrived. */
const LOOK_MS = 4;

/** A server that restarts is back within seconds. */
const PATIENCE_MS = 15_000;

/**
 * Until the workbench has all that was typed here, so that what is saved or closed then is what the
 * person sees. A lost link is waited for, because it comes back by itself; if it does not, what follows
 * fails with a sentence and changes nothing. Edits that the workbench does not take are not waited for:
 * those of one document must not keep the others from being saved.
 */
export async function editsArrived(): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  const isWorthWaiting = () =>
    linkStatus() === "lost" || (linkStatus() === "open" && areEditsComing());
  while (isWorthWaiting() && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

/** Asks before the page goes while something typed is nowhere but in it. */
export function guardUnload(): () => void {
  const onUnload = (event: BeforeUnloadEvent) => {
    if (hasUnsentEdits()) event.preventDefault();
  };
  window.addEventListener("beforeunload", onUnload);
  return () => window.removeEventListener("beforeunload", onUnload);
}

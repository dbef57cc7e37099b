import type { CallInput, TurnOutcome } from "@lockstep/workbench/contract";
import { showProblem, showToast } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { files, staleSentence } from "./turn-words.js";

/** Reasons that are told at once; the others are counted. */
const MOST_TOLD = 3;

export const decideTurn = (input: CallInput<"turn.decide">): Promise<void> =>
  tell(() => call("turn.decide", input));
export const takeBack = (turn: string): Promise<void> => tell(() => call("turn.undo", { turn }));
export const makeAgain = (turn: string): Promise<void> => tell(() => call("turn.redo", { turn }));

/** What was refused is said; all else shows by itself. */
async function tell(work: () => Promise<TurnOutcome>): Promise<void> {
  try {
    const { refused } = await work();
    if (refused.length === 0) return;
    const more = refused.length - MOST_TOLD;
    const rest = more > 0 ? ` And ${files(more)} more.` : "";
    showToast({ tone: "warn", text: refused.slice(0, MOST_TOLD).join(" ") + rest });
  } catch (problem) {
    showProblem(problem);
  }
}

export async function copyForAgent(turn: string): Promise<void> {
  const stale = state().turns[turn]?.stale ?? [];
  await navigator.clipboard.writeText(staleSentence(stale));
  showToast({ text: "Paste it at the agent’s prompt.", icon: "copy" });
  await call("turn.told", { turn }).catch(showProblem);
}

export const forgetStale = (turn: string): Promise<void> =>
  call("turn.told", { turn }).catch(showProblem);

import type { Uri } from "@lockstep/protocol";
import { ask, showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { saveDocument } from "./save.js";
import { closeSettings, closeTurn, type Tab } from "./tab-list.js";
import { editsArrived } from "./unsent-edits.js";

/** Answers whether it was closed. Unsaved edits and waiting agents are asked about first. */
export async function closeTab(tab: Tab): Promise<boolean> {
  try {
    if (tab.kind === "document") return await closeDocument(tab.uri);
    if (tab.kind === "review") return await closeReview(tab.id);
    if (tab.kind === "turn") closeTurn();
    else closeSettings();
    return true;
  } catch (problem) {
    showProblem(problem);
    return false;
  }
}

async function closeDocument(uri: Uri): Promise<boolean> {
  await editsArrived();
  if ((await call("tab.close", { uri, discard: false })) === "closed") return true;
  const name = state().documents[uri]?.label ?? "this document";
  const answer = await ask({
    title: `Save ${name}?`,
    text: "It has edits that are not saved. Without saving they are lost.",
    choices: [
      { answer: "discard", label: "Don’t save", kind: "danger" },
      { answer: "save", label: "Save", kind: "primary" },
    ],
  });
  if (answer === null) return false;
  if (answer === "save" && !(await saveDocument(uri))) return false;
  // Saving an untitled document under a name may have closed the old tab already.
  if (!state().tabs.some((tab) => tab.uri === uri)) return true;
  return (await call("tab.close", { uri, discard: answer === "discard" })) === "closed";
}

/** For the agent a closed tab is a no, so it must not happen by a slip. */
async function closeReview(id: string): Promise<boolean> {
  const proposal = state().proposals[id];
  if (!proposal) return true;
  if (proposal.kind === "orphaned") {
    await call("review.dismiss", { id });
    return true;
  }
  const merge = proposal.kind === "merge";
  const answer = await ask({
    title: merge ? "Leave the merge?" : `Reject the proposal for ${proposal.label}?`,
    text: merge
      ? "Your edits stay unsaved, and the file stays as it is."
      : `${proposal.agent.name} is waiting for an answer. Closing its tab tells it no.`,
    choices: [
      { answer: "close", label: merge ? "Leave" : "Reject", kind: merge ? "primary" : "danger" },
    ],
  });
  if (answer === null || !state().proposals[id]) return false;
  if (merge) await call("review.dismiss", { id });
  else await call("review.reject", { id });
  return true;
}

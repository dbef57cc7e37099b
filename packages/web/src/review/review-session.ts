import type { ProposalInfo } from "@lockstep/workbench/contract";
import { createSignal } from "solid-js";
import { call } from "../replica/link.js";
import { noteAnswer } from "./answers.js";
import { openPanes } from "./panes/pane-session.js";

export type ReviewSession = ReturnType<typeof openSession>;

/** A review on screen: what it shows, and what the person can do with it. Lives as long as its owner. */
export function openSession(id: string, info: () => ProposalInfo) {
  const [rejecting, setRejecting] = createSignal(false);
  const isOpen = () => info().kind !== "orphaned";
  const panes = openPanes({
    ...{ id, isOpen, name: `proposal:${id}` },
    attach: () => call("review.attach", { id }),
    languageId: () => info().languageId,
    isOneSided: () => info().newFile,
    purpose: () => (info().kind === "merge" ? "merge" : "proposal"),
    decide: (hunk, decision) => call("review.decide", { id, hunk, decision }),
  });
  const { act } = panes;

  const ended = (kind: "accepted" | "rejected" | "merged" | "dismissed") => {
    const { label, agent } = info();
    return { id, label, agent: agent.name, kind };
  };

  const accept = () =>
    act(async () => {
      if (!isOpen()) return;
      const { kind, tally } = info();
      const none = tally !== null && tally.pending + tally.kept + tally.edited === 0;
      const answer = ended(kind === "merge" ? "merged" : none ? "rejected" : "accepted");
      await call("review.accept", { id, moves: panes.moves() });
      noteAnswer(answer);
    });

  const reject = (reason: string) =>
    act(async () => {
      const answer = ended("rejected");
      const { reason: delivery } = await call("review.reject", {
        id,
        ...(reason.trim() ? { reason: reason.trim() } : {}),
      });
      noteAnswer({ ...answer, reason: reason.trim(), delivery });
    });

  const dismiss = () =>
    act(async () => {
      const answer = ended("dismissed");
      await call("review.dismiss", { id });
      noteAnswer(answer);
    });

  return {
    ...panes,
    ...{ id, info, panes, rejecting, accept, reject, dismiss },
    decideRest: (decision: "kept" | "dropped") =>
      act(() => call("review.decide", { id, hunk: "rest", decision })),
    undo: () => act(() => call("review.undo", { id })),
    redo: () => act(() => call("review.redo", { id })),
    setRejecting: (on: boolean) => setRejecting(on && isOpen() && info().kind === "waiting"),
  };
}

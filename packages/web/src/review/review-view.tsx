import type { ProposalInfo } from "@lockstep/workbench/contract";
import { Show } from "solid-js";
import { state } from "../replica/state.js";
import { PaneArea } from "./panes/pane-area.js";
import { RejectForm } from "./reject-form.js";
import { ReviewBanners } from "./review-banners.js";
import { ReviewEnded } from "./review-ended.js";
import { ReviewFrame } from "./review-frame.js";
import { ReviewHeader } from "./review-header.js";
import { type Act, actsOf } from "./review-keys.js";
import { openSession } from "./review-session.js";

/** One proposal in front of the person: its texts, and how to decide it. */
export function ReviewView(props: { readonly id: string }) {
  return (
    <Show when={props.id} keyed>
      {(id) => (
        <Show when={state().proposals[id]} fallback={<ReviewEnded id={id} />}>
          {(info) => <OpenReview id={id} info={info()} />}
        </Show>
      )}
    </Show>
  );
}

function OpenReview(props: { readonly id: string; readonly info: ProposalInfo }) {
  let latest = props.info;
  // Asked a last time while it is taken away, when there is no such proposal any more.
  const info = () => {
    latest = state().proposals[props.id] ?? latest;
    return latest;
  };
  const session = openSession(props.id, info);
  let root: HTMLElement | undefined;
  return (
    <ReviewFrame
      label={`Review of ${info().label}`}
      acts={actsOf(session)}
      kind="review"
      titles={TITLES}
      watch={() => {
        session.hunks();
        session.info();
      }}
      ref={(frame) => {
        root = frame;
      }}
    >
      <ReviewHeader session={session} />
      <Show when={session.rejecting()}>
        <RejectForm session={session} onClose={() => root?.focus()} />
      </Show>
      <ReviewBanners session={session} />
      <PaneArea panes={session.panes} />
    </ReviewFrame>
  );
}

const TITLES: readonly (readonly [Act, string])[] = [
  ["next", "Review: Next Change"],
  ["previous", "Review: Previous Change"],
  ["keep", "Review: Keep Change and Go On"],
  ["drop", "Review: Drop Change and Go On"],
  ["undo", "Review: Undo Decision"],
  ["redo", "Review: Redo Decision"],
  ["accept", "Review: Accept Proposal"],
  ["reject", "Review: Reject Proposal with a Reason"],
];

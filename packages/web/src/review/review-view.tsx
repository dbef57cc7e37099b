import type { ProposalInfo } from "@lockstep/workbench/contract";
import { onCleanup, onMount, Show } from "solid-js";
import { addCommands } from "../commands.js";
import { state } from "../replica/state.js";
import { keepFocus, mayTakeFocus } from "./keep-focus.js";
import { RejectForm } from "./reject-form.js";
import { ReviewBanners } from "./review-banners.js";
import { ReviewEnded } from "./review-ended.js";
import { ReviewHeader } from "./review-header.js";
import { type Act, actsOf, handleReviewKey, KEYS } from "./review-keys.js";
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
  let panes: HTMLDivElement | undefined;
  onMount(() => {
    if (panes) void session.show(panes);
    root?.addEventListener("keydown", (event) => handleReviewKey(event, actsOf(session)), true);
    if (root) {
      keepFocus(root, () => {
        session.hunks();
        session.info();
      });
    }
    if (root && mayTakeFocus()) root.focus({ preventScroll: true });
  });
  onCleanup(addCommands(TITLES.map(([act, title]) => command(act, title, session))));
  return (
    <section
      class="review"
      aria-label={`Review of ${info().label}`}
      tabindex="-1"
      data-region-focus
      ref={(element) => {
        root = element;
      }}
    >
      <ReviewHeader session={session} />
      <Show when={session.rejecting()}>
        <RejectForm session={session} onClose={() => root?.focus()} />
      </Show>
      <ReviewBanners session={session} />
      <Show when={session.problem()}>
        {(problem) => (
          <p class="review-problem" role="alert">
            {problem()}
          </p>
        )}
      </Show>
      <div
        class="review-panes"
        aria-busy={!session.loaded()}
        ref={(element) => {
          panes = element;
        }}
      />
      <div class="unseen" aria-live="polite">
        {session.announced()}
      </div>
    </section>
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

/** For the palette. The keys are the review's own, because they must not work from elsewhere. */
function command(act: Act, title: string, session: ReturnType<typeof openSession>) {
  return {
    id: `review.${act}`,
    title,
    ownKeys: KEYS[act],
    run: () => void actsOf(session)[act]?.(),
  };
}

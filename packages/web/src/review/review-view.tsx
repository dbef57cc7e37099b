import type { ProposalInfo } from "@lockstep/workbench/contract";
import { createEffect, onCleanup, onMount, Show } from "solid-js";
import { addCommands } from "../commands.js";
import { state } from "../replica/state.js";
import { RejectForm } from "./reject-form.js";
import { ReviewBanners } from "./review-banners.js";
import { ReviewEnded } from "./review-ended.js";
import { ReviewHeader } from "./review-header.js";
import { type Act, handleReviewKey, runAct } from "./review-keys.js";
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
    root?.addEventListener("keydown", (event) => handleReviewKey(event, session), true);
    if (root) keepFocus(root, session);
    if (root && mayTakeFocus()) root.focus({ preventScroll: true });
  });
  onCleanup(addCommands(TITLES.map(([act, title]) => command(act, title, session))));
  const announced = () => {
    const all = session.visible();
    const at = all.findIndex(({ id }) => id === session.current());
    const hunk = all[at];
    return hunk
      ? `Change ${at + 1} of ${all.length}, ${hunk.conflict ? "conflict" : hunk.decision}`
      : "";
  };
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
        {announced()}
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
  return { id: `review.${act}`, title, run: () => runAct(act, session) };
}

/**
 * The keys work where the focus is, so a click in the review brings it there, and a button that can
 * not be pressed again right after it was gives it back.
 */
function keepFocus(root: HTMLElement, session: ReturnType<typeof openSession>): void {
  let inside = false;
  const listening = new AbortController();
  onCleanup(() => listening.abort());
  const enter = () => root.focus({ preventScroll: true });
  document.addEventListener(
    "focusin",
    ({ target }) => {
      inside = root.contains(target as Node);
    },
    { signal: listening.signal },
  );
  root.addEventListener("click", () => {
    if (!root.contains(document.activeElement)) enter();
  });
  createEffect(() => {
    session.hunks();
    session.info();
    requestAnimationFrame(() => {
      const at = document.activeElement;
      const lost = !at || at === document.body || at.matches(":disabled");
      if (inside && lost && root.isConnected) enter();
    });
  });
}

/** Only from a place that the person has left by coming here; never from a text or a terminal. */
function mayTakeFocus(): boolean {
  const at = document.activeElement;
  return !at || at === document.body || at.closest(".review-queue, .review-ended") !== null;
}

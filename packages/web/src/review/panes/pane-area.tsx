import { onMount, Show } from "solid-js";
import type { PaneSession } from "./pane-session.js";

/** The panes, why they cannot be shown, and what is said of the change that the person is at. */
export function PaneArea(props: { readonly panes: PaneSession }) {
  const { panes } = props;
  let place: HTMLDivElement | undefined;
  onMount(() => {
    if (place) void panes.show(place);
  });
  return (
    <>
      <Show when={panes.problem()}>
        {(problem) => (
          <p class="review-problem" role="alert">
            {problem()}
          </p>
        )}
      </Show>
      <div
        class="review-panes"
        aria-busy={!panes.loaded()}
        ref={(element) => {
          place = element;
        }}
      />
      <div class="unseen" aria-live="polite">
        {panes.announced()}
      </div>
    </>
  );
}

import { createEffect, onCleanup } from "solid-js";

/**
 * The keys work where the focus is, so a click in the review brings it there, and a button that can
 * not be pressed again right after it was gives it back. `watch` reads what buttons go with.
 */
export function keepFocus(root: HTMLElement, watch: () => void): void {
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
    watch();
    requestAnimationFrame(() => {
      const at = document.activeElement;
      const lost = !at || at === document.body || at.matches(":disabled");
      if (inside && lost && root.isConnected) enter();
    });
  });
}

/** Only from a place that the person has left by coming here; never from a text or a terminal. */
export function mayTakeFocus(): boolean {
  const at = document.activeElement;
  const left = ".review-queue, .review-ended, .turns";
  return !at || at === document.body || at.closest(left) !== null;
}

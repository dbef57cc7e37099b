/** The parts of the window that F6 goes through, in the order of `data-region` in the page. */
const FOCUSABLE =
  'input, select, textarea, button:enabled, [contenteditable="true"], [tabindex]:not([tabindex="-1"], [role="separator"])';
/** A view that is fetched when it is first shown is here by then, or not at all. */
const PATIENCE_MS = 2_000;

/** Where the focus was last in each region. */
const last = new WeakMap<Element, HTMLElement>();

export function watchRegions(): void {
  document.addEventListener("focusin", ({ target }) => {
    const region = target instanceof HTMLElement ? target.closest("[data-region]") : null;
    if (region && target instanceof HTMLElement) last.set(region, target);
  });
}

/** Goes there as soon as there is something to go to: where the focus was last, or to what the region is for. */
export function focusRegion(name: string, to: "last" | "main" = "last"): void {
  const region = document.querySelector(`[data-region="${name}"]`);
  if (region) soon(region, () => enter(region, to));
}

/** Goes to the first element of the kind as soon as there is one, in a view that may be on its way. */
export function focusElement(selector: string): void {
  soon(document.body, () => {
    const element = document.querySelector<HTMLElement>(selector);
    element?.focus();
    return element !== null;
  });
}

function soon(within: Element, isDone: () => boolean): void {
  if (isDone()) return;
  const observer = new MutationObserver(() => {
    if (isDone()) observer.disconnect();
  });
  observer.observe(within, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), PATIENCE_MS);
}

export function stepRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll("[data-region]")].filter(isSeen);
  const now = regions.findIndex((region) => region.contains(document.activeElement));
  for (let tried = 1; tried <= regions.length; tried++) {
    const next = regions[(now + step * tried + regions.length * 2) % regions.length];
    if (next && enter(next, "last")) return;
  }
}

function enter(region: Element, to: "last" | "main"): boolean {
  const before = last.get(region);
  const main =
    region.querySelector<HTMLElement>("[data-region-focus]") ??
    region.querySelector<HTMLElement>(".cm-content");
  // A text that is still on its way is waited for: a button beside it would get what is typed meanwhile.
  const first = main
    ? undefined
    : [...region.querySelectorAll<HTMLElement>(FOCUSABLE)].find(isSeen);
  for (const candidate of to === "last" ? [before, main, first] : [main, before, first]) {
    if (!candidate?.isConnected || candidate.matches(":disabled")) continue;
    candidate.focus();
    if (region.contains(document.activeElement)) return true;
  }
  return false;
}

function isSeen(element: Element): boolean {
  return element.getClientRects().length > 0;
}

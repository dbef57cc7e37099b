/** The parts of the window that F6 goes through, in the order of `data-region` in the page. */
const FOCUSABLE =
  'input, select, textarea, button:enabled, [contenteditable="true"], [tabindex]:not([tabindex="-1"])';

/** Where the focus was last in each region. */
const last = new WeakMap<Element, HTMLElement>();

export function watchRegions(): void {
  document.addEventListener("focusin", ({ target }) => {
    const region = target instanceof HTMLElement ? target.closest("[data-region]") : null;
    if (region && target instanceof HTMLElement) last.set(region, target);
  });
}

export function focusRegion(name: string): void {
  const region = document.querySelector(`[data-region="${name}"]`);
  if (region) enter(region);
}

export function stepRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll("[data-region]")].filter(isSeen);
  const now = regions.findIndex((region) => region.contains(document.activeElement));
  for (let tried = 1; tried <= regions.length; tried++) {
    const next = regions[(now + step * tried + regions.length * 2) % regions.length];
    if (next && enter(next)) return;
  }
}

function enter(region: Element): boolean {
  const before = last.get(region);
  const main = region.querySelector<HTMLElement>("[data-region-focus], .cm-content");
  const first = [...region.querySelectorAll<HTMLElement>(FOCUSABLE)].find(isSeen);
  for (const candidate of [before, main, first]) {
    if (!candidate?.isConnected) continue;
    candidate.focus();
    if (region.contains(document.activeElement)) return true;
  }
  return false;
}

function isSeen(element: Element): boolean {
  return element.getClientRects().length > 0;
}

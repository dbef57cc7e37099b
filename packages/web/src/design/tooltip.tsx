import { createSignal, onCleanup, onMount, Show } from "solid-js";
import { Kbd } from "./kbd.js";

/** Milliseconds of resting before a tooltip shows; the next one shows at once. */
const REST_MS = 450;
const GAP = 6;

interface Tip {
  readonly text: string;
  readonly keys: string | undefined;
  readonly at: DOMRect;
  readonly beside: boolean;
}

/**
 * The one tooltip of the page, mounted once. Any element shows one by `data-tip`, with keys by
 * `data-tip-keys`, and to its right by `data-tip-side`; its accessible name is its own affair, so the tooltip is silent.
 */
export function TooltipLayer() {
  const [tip, setTip] = createSignal<Tip | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: Element | null = null;

  const hide = () => {
    clearTimeout(timer);
    current = null;
    setTip(null);
  };
  const show = (target: EventTarget | null, rest: number) => {
    const owner = target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;
    if (owner === current) return;
    const warm = tip() !== null;
    hide();
    if (!owner) return;
    current = owner;
    timer = setTimeout(
      () => {
        const { tip: text, tipKeys: keys, tipSide } = owner.dataset;
        const at = owner.getBoundingClientRect();
        if (owner.isConnected && text) setTip({ text, keys, at, beside: tipSide === "right" });
      },
      warm ? 0 : rest,
    );
  };
  const over = (event: PointerEvent) => {
    if (event.pointerType !== "touch") show(event.target, REST_MS);
  };
  const focus = (event: FocusEvent) => {
    if (event.target instanceof Element && event.target.matches(":focus-visible"))
      show(event.target, REST_MS);
  };
  onMount(() => {
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("pointerover", over, { signal });
    document.addEventListener("focusin", focus, { signal });
    document.addEventListener("focusout", hide, { signal });
    document.addEventListener("pointerdown", hide, { signal, capture: true });
    document.addEventListener("keydown", hide, { signal, capture: true });
    document.addEventListener("scroll", hide, { signal, capture: true });
    onCleanup(() => listening.abort());
  });

  return (
    <Show when={tip()} keyed>
      {(shown) => (
        <div
          class="tooltip"
          popover="manual"
          aria-hidden="true"
          ref={(element) => place(element, shown)}
        >
          {shown.text}
          <Show when={shown.keys}>{(keys) => <Kbd keys={keys()} />}</Show>
        </div>
      )}
    </Show>
  );
}

/** Below its owner, or above where there is no room, or beside it; never beyond the window. */
function place(element: HTMLElement, { at, beside }: Tip): void {
  queueMicrotask(() => {
    if (!element.isConnected) return;
    element.showPopover();
    const { width, height } = element.getBoundingClientRect();
    if (beside) {
      element.style.top = `${at.top + at.height / 2 - height / 2}px`;
      element.style.left = `${at.right + GAP}px`;
      return;
    }
    const below = at.bottom + GAP + height <= innerHeight;
    const top = below ? at.bottom + GAP : Math.max(GAP, at.top - GAP - height);
    const middle = at.left + at.width / 2 - width / 2;
    element.style.top = `${top}px`;
    element.style.left = `${Math.max(GAP, Math.min(middle, innerWidth - width - GAP))}px`;
  });
}

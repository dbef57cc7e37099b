import { For, onCleanup, onMount, Show } from "solid-js";
import { Icon, type IconName } from "./icon.js";
import { Kbd } from "./kbd.js";

export type MenuItem =
  | {
      readonly kind?: "item";
      readonly label: string;
      /** Faintly beside it. */
      readonly aside?: string | null;
      /** The one that is chosen now; the menu begins there. */
      readonly current?: boolean;
      readonly icon?: IconName;
      /** As people write them (`keysLabel`). */
      readonly keys?: string | undefined;
      readonly disabled?: boolean;
      readonly danger?: boolean;
      readonly run: () => void;
    }
  | { readonly kind: "line" };

interface MenuProps {
  readonly label: string;
  /** In the window's pixels; the menu moves so that it is all in sight. */
  readonly at: { readonly x: number; readonly y: number };
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
}

/** A context menu while mounted: arrows, Home, End, first letters, Enter, Esc. Focus then returns. */
export function Menu(props: MenuProps) {
  let element: HTMLDivElement | undefined;
  const before = document.activeElement;
  const buttons = () => [
    ...(element?.querySelectorAll<HTMLButtonElement>("button:not(:disabled)") ?? []),
  ];
  const move = (step: 1 | -1) => {
    const all = buttons();
    const now = all.indexOf(document.activeElement as HTMLButtonElement);
    all[(now + step + all.length) % all.length]?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Home: () => buttons()[0]?.focus(),
      End: () => buttons().at(-1)?.focus(),
      Escape: () => props.onClose(),
      Tab: () => props.onClose(),
    };
    const letter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && event.key !== " ";
    const step = steps[event.key] ?? (letter ? () => jump(event.key.toLowerCase()) : null);
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    step();
  };
  const jump = (letter: string) => {
    const all = buttons();
    const now = all.indexOf(document.activeElement as HTMLButtonElement);
    const rotated = [...all.slice(now + 1), ...all.slice(0, now + 1)];
    rotated
      .find(({ textContent }) => textContent?.trim().toLowerCase().startsWith(letter))
      ?.focus();
  };
  onMount(() => {
    if (!element) return;
    element.showPopover();
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(props.at.x, innerWidth - width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(props.at.y, innerHeight - height - 4))}px`;
    const current = element.querySelector<HTMLButtonElement>("[aria-current]");
    (current ?? buttons()[0])?.focus();
    const listening = new AbortController();
    const { signal } = listening;
    const outside = (event: Event) => {
      if (!element?.contains(event.target as Node)) props.onClose();
    };
    document.addEventListener("pointerdown", outside, { signal, capture: true });
    window.addEventListener("blur", () => props.onClose(), { signal });
    window.addEventListener("resize", () => props.onClose(), { signal });
    onCleanup(() => listening.abort());
  });
  onCleanup(() => {
    const inside =
      element?.contains(document.activeElement) || document.activeElement === document.body;
    if (inside && before instanceof HTMLElement && before.isConnected) before.focus();
  });
  return (
    <div
      ref={element}
      class="menu"
      role="menu"
      tabindex="-1"
      popover="manual"
      aria-label={props.label}
      onKeyDown={onKey}
    >
      <For each={props.items}>
        {(item) =>
          item.kind === "line" ? (
            <hr class="menu-line" />
          ) : (
            <button
              type="button"
              role="menuitem"
              tabindex="-1"
              class="menu-item"
              classList={{ "menu-danger": item.danger ?? false }}
              disabled={item.disabled}
              aria-current={item.current ? "true" : undefined}
              onPointerMove={(event) => event.currentTarget.focus()}
              onClick={() => {
                props.onClose();
                item.run();
              }}
            >
              <span class="menu-icon">
                <Show when={item.icon}>{(name) => <Icon name={name()} />}</Show>
              </span>
              <span class="menu-label">{item.label}</span>
              <Show when={item.aside}>{(aside) => <span class="menu-aside"> {aside()}</span>}</Show>
              <Show when={item.keys}>{(keys) => <Kbd keys={keys()} />}</Show>
            </button>
          )
        }
      </For>
    </div>
  );
}

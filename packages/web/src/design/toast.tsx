import { createEffect, createRoot, createSignal, For, onCleanup, Show } from "solid-js";
import { TONE_ICONS, type Tone } from "./banner.js";
import { Button, IconButton } from "./button.js";
import { Icon, type IconName } from "./icon.js";
import { shownText } from "./shown-text.js";

export interface Toast {
  readonly text: string;
  readonly tone?: Tone;
  readonly action?: { readonly label: string; readonly keys?: string; readonly run: () => void };
  /** Stays until it is dismissed, or over. */
  readonly lasting?: boolean;
  /** Whether what it is about is over; then it goes at once. */
  readonly over?: () => boolean;
  /** Instead of its tone's. */
  readonly icon?: IconName;
}
/** A toast that is shown, or was. */
export interface Message extends Toast {
  readonly id: number;
  readonly at: Date;
}

/** Long enough to read two lines and reach for the button. */
const STAY_MS = 8_000;
/** What went wrong is read twice. */
const STAY_ERROR_MS = 25_000;
/** Further ones wait in the list of messages. */
const MOST = 3;
const MOST_KEPT = 30;

const [toasts, setToasts] = createSignal<readonly Message[]>([]);
const [messages, setMessages] = createSignal<readonly Message[]>([]);
/** Nobody is in the middle of reading them. */
let held = false;
/** What had the focus before a toast got it. */
let cameFrom: HTMLElement | null = null;
let count = 0;

/** What was said in this window, the latest last, also when it is not shown any more. */
export { messages };
export const forgetMessages = (): void => void setMessages([]);

/** Shows a quiet word below the middle; answers how to take it away. The focus stays where it is. */
export function showToast(toast: Toast): () => void {
  const shown = { ...toast, id: ++count, at: new Date() };
  const others = (all: readonly Message[]) => all.filter(({ text }) => text !== toast.text);
  setToasts((all) => [...others(all), shown].slice(-MOST));
  setMessages((all) => [...others(all), shown].slice(-MOST_KEPT));
  const dismiss = () => dismissToast(shown.id);
  if (!toast.lasting) leaveAfter(toast.tone === "error" ? STAY_ERROR_MS : STAY_MS, dismiss);
  if (toast.over) watch(toast.over, dismiss);
  return dismiss;
}

/** For what a call was refused with: its sentence is what the person should read. */
export function showProblem(problem: unknown, over?: () => boolean): void {
  const text = problem instanceof Error ? problem.message : String(problem);
  showToast({ text, tone: "error", ...(over ? { over } : {}) });
}

const dismissToast = (id: number): void =>
  void setToasts((all) => all.filter((toast) => toast.id !== id));

/** Answers whether there was one. */
export function dismissLatestToast(): boolean {
  const latest = toasts().at(-1);
  if (latest) dismissToast(latest.id);
  return latest !== undefined;
}

/** Not while the pointer or the focus is on them, or the window is not looked at. */
function leaveAfter(ms: number, leave: () => void): void {
  setTimeout(() => (held || document.hidden ? leaveAfter(STAY_MS / 4, leave) : leave()), ms);
}

function watch(over: () => boolean, leave: () => void): void {
  createRoot((stop) =>
    createEffect(() => {
      if (!over()) return;
      leave();
      queueMicrotask(stop);
    }),
  );
}

export interface StandingNotice {
  readonly id: string;
  readonly text: string;
  readonly tone: Tone;
}

/**
 * Mounted once, in the flow of the page, so that it never lies over anything: the notices of the
 * workbench, which stay, and the window's own toasts.
 */
export function ToastArea(props: {
  readonly notices: readonly StandingNotice[];
  readonly onDismiss: (id: string) => void;
}) {
  const onKey = (event: KeyboardEvent) => {
    const isFree = !event.defaultPrevented && !document.querySelector("dialog[open]");
    if (event.key === "Escape" && isFree && dismissLatestToast()) giveBackFocus();
  };
  document.addEventListener("keydown", onKey);
  onCleanup(() => document.removeEventListener("keydown", onKey));
  const hold = (on: boolean) => () => {
    held = on;
  };
  return (
    <section
      class="toasts"
      aria-label="Notifications"
      aria-live="polite"
      data-region="notifications"
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocusIn={({ currentTarget, relatedTarget }) => {
        held = true;
        const isNew =
          relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget);
        if (isNew) cameFrom = relatedTarget;
      }}
      onFocusOut={hold(false)}
    >
      <For each={props.notices}>
        {(notice) => (
          <ToastCard
            text={notice.text}
            tone={notice.tone}
            onDismiss={() => props.onDismiss(notice.id)}
          />
        )}
      </For>
      <For each={toasts()}>
        {(toast) => <ToastCard {...toast} onDismiss={() => dismissToast(toast.id)} />}
      </For>
    </section>
  );
}

/** A card that goes takes the focus with it: it is where it came from then, unless somebody has it. */
function giveBackFocus(): void {
  if (document.activeElement === document.body) cameFrom?.focus();
  cameFrom = null;
}

function ToastCard(props: Toast & { readonly onDismiss: () => void }) {
  // A card that goes from under the pointer hears nothing of its leaving.
  onCleanup(() => {
    held = false;
  });
  return (
    <div class={`toast toast-${props.tone ?? "info"}`}>
      <Icon name={props.icon ?? TONE_ICONS[props.tone ?? "info"]} />
      <p class="toast-text">{shownText(props.text)}</p>
      <Show when={props.action}>
        {(action) => (
          <Button
            size="s"
            onClick={() => {
              props.onDismiss();
              action().run();
              queueMicrotask(giveBackFocus);
            }}
          >
            {action().label}
          </Button>
        )}
      </Show>
      <IconButton
        icon="close"
        label="Dismiss"
        keys="Esc"
        size="s"
        onClick={() => {
          props.onDismiss();
          giveBackFocus();
        }}
      />
    </div>
  );
}

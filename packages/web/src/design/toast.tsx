import { createSignal, For, Show } from "solid-js";
import { TONE_ICONS, type Tone } from "./banner.js";
import { Button, IconButton } from "./button.js";
import { Icon, type IconName } from "./icon.js";
import { shownText } from "./shown-text.js";

export interface Toast {
  readonly text: string;
  readonly tone?: Tone;
  readonly action?: { readonly label: string; readonly keys?: string; readonly run: () => void };
  /** Stays until it is dismissed. Errors always do. */
  readonly lasting?: boolean;
  /** Instead of its tone's. */
  readonly icon?: IconName;
}
interface Shown extends Toast {
  readonly id: number;
}

/** Long enough to read two lines and reach for the button. */
const STAY_MS = 8_000;
const MOST = 4;

const [toasts, setToasts] = createSignal<readonly Shown[]>([]);
let count = 0;

/** Shows a quiet word in the corner; answers how to take it away. The focus stays where it is. */
export function showToast(toast: Toast): () => void {
  const shown = { ...toast, id: ++count };
  const dismiss = () => setToasts((all) => all.filter(({ id }) => id !== shown.id));
  setToasts((all) => [...all.filter(({ text }) => text !== toast.text), shown].slice(-MOST));
  if (!toast.lasting && toast.tone !== "error") setTimeout(dismiss, STAY_MS);
  return dismiss;
}

/** For what a call was refused with: its sentence is what the person should read. */
export function showProblem(problem: unknown): void {
  showToast({ text: problem instanceof Error ? problem.message : String(problem), tone: "error" });
}

export interface StandingNotice {
  readonly id: string;
  readonly text: string;
  readonly tone: Tone;
}

/** Mounted once: the notices of the workbench, which stay, and the window's own toasts. */
export function ToastArea(props: {
  readonly notices: readonly StandingNotice[];
  readonly onDismiss: (id: string) => void;
}) {
  const dismiss = (id: number) => setToasts((all) => all.filter((toast) => toast.id !== id));
  return (
    <section class="toasts" aria-label="Notifications" aria-live="polite">
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
        {(toast) => <ToastCard {...toast} onDismiss={() => dismiss(toast.id)} />}
      </For>
    </section>
  );
}

function ToastCard(props: Toast & { readonly onDismiss: () => void }) {
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
            }}
          >
            {action().label}
          </Button>
        )}
      </Show>
      <IconButton icon="close" label="Dismiss" size="s" onClick={() => props.onDismiss()} />
    </div>
  );
}

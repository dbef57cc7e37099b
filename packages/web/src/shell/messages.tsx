import { createSignal, For, Show } from "solid-js";
import {
  Button,
  Dialog,
  EmptyState,
  forgetMessages,
  Icon,
  type Message,
  messages,
  TONE_ICONS,
} from "../design/index.js";
import { shownText } from "../design/shown-text.js";

const [open, setOpen] = createSignal(false);
export const showMessages = (): void => void setOpen(true);

/** In the status bar, once something was said: what has gone from the screen can be read again. */
export function MessagesStatus() {
  const words = () => (messages().length === 1 ? "1 message" : `${messages().length} messages`);
  return (
    <Show when={messages().length > 0}>
      <button
        type="button"
        class="shell-status-item"
        aria-label={`Show ${words()}`}
        data-tip="Messages"
        onClick={showMessages}
      >
        <Icon name="bell" />
        {messages().length}
      </button>
    </Show>
  );
}

/** Mounted once: the latest messages of this window, the newest first. */
export function MessagesLayer() {
  return (
    <Show when={open()}>
      <Dialog
        title="Messages"
        onClose={() => setOpen(false)}
        actions={
          <Show when={messages().length > 0}>
            <Button kind="quiet" onClick={forgetMessages}>
              Clear
            </Button>
          </Show>
        }
      >
        <Show
          when={messages().length > 0}
          fallback={
            <EmptyState icon="bell" title="No messages">
              What is said below the editor can be read here again.
            </EmptyState>
          }
        >
          <ul class="shell-messages">
            <For each={messages().toReversed()}>{(message) => <Row message={message} />}</For>
          </ul>
        </Show>
      </Dialog>
    </Show>
  );
}

function Row(props: { readonly message: Message }) {
  const tone = () => props.message.tone ?? "info";
  const act = () => {
    setOpen(false);
    props.message.action?.run();
  };
  return (
    <li class={`shell-message toast-${tone()}`}>
      <Icon name={props.message.icon ?? TONE_ICONS[tone()]} class="shell-message-icon" />
      <span class="shell-message-text">{shownText(props.message.text)}</span>
      <Show when={props.message.lasting && props.message.action}>
        {(action) => (
          <Button size="s" onClick={act}>
            {action().label}
          </Button>
        )}
      </Show>
      <time class="shell-message-time" dateTime={props.message.at.toISOString()}>
        {props.message.at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}
      </time>
    </li>
  );
}

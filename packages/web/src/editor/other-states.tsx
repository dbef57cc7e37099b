import type { Uri } from "@lockstep/protocol";
import { createSignal, For, onCleanup, Show } from "solid-js";
import { Button, EmptyState } from "../design/index.js";
import { tell } from "../replica/link.js";
import { setView } from "../replica/view.js";

/** A quick answer needs no sign that something is under way. */
const PATIENCE_MS = 150;
/** Widths of the lines that stand for a text, in percent. */
const WIDTHS = [34, 52, 46, 0, 28, 61, 57, 40, 22, 0, 48, 66, 31];

function whenLate(): () => boolean {
  const [late, setLate] = createSignal(false);
  const timer = setTimeout(() => setLate(true), PATIENCE_MS);
  onCleanup(() => clearTimeout(timer));
  return late;
}

/** The shape of a text, until it is there. */
export function Loading() {
  const late = whenLate();
  return (
    <Show when={late()}>
      <div class="editor-loading" role="status" aria-label="Opening the file">
        <For each={WIDTHS}>
          {(width) => <div class="editor-loading-line" style={{ width: `${width}%` }} />}
        </For>
      </div>
    </Show>
  );
}

/** Another window closed it. */
export function Closed(props: { readonly onReopen: () => void }) {
  const late = whenLate();
  return (
    <Show when={late()}>
      <EmptyState
        icon="file"
        title="This file was closed"
        actions={<Button onClick={() => props.onReopen()}>Open it again</Button>}
      >
        It was closed in another window or by an agent.
      </EmptyState>
    </Show>
  );
}

/** The workbench cannot show it and says why. */
export function Failed(props: {
  readonly uri: Uri;
  readonly why: string;
  readonly onRetry: () => void;
}) {
  const close = () => {
    setView({ kind: "nothing" });
    tell("tab.close", { uri: props.uri, discard: false });
  };
  return (
    <EmptyState
      icon="warning"
      title="This file cannot be shown"
      actions={
        <>
          <Button kind="primary" onClick={() => props.onRetry()}>
            Try again
          </Button>
          <Button onClick={close}>Close</Button>
        </>
      }
    >
      <span role="alert">{props.why}</span>
    </EmptyState>
  );
}

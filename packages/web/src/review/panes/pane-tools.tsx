import { For, type ParentProps, Show } from "solid-js";
import { IconButton } from "../../design/index.js";
import { keysFor } from "../review-keys.js";
import type { PaneSession } from "./pane-session.js";

/** From change to change, and which of them this is. */
export function ChangeSteps(props: { readonly panes: PaneSession }) {
  const { panes } = props;
  const at = () => panes.visible().findIndex(({ id }) => id === panes.current()) + 1;
  const none = () => panes.visible().length === 0;
  return (
    <>
      <IconButton
        size="s"
        icon="arrow-up"
        label="Previous change"
        keys={keysFor("previous")}
        disabled={none()}
        onClick={panes.previous}
      />
      <IconButton
        size="s"
        icon="arrow-down"
        label="Next change"
        keys={keysFor("next")}
        disabled={none()}
        onClick={panes.next}
      />
      <span class="review-count">
        <Show
          when={!none()}
          fallback={panes.hidden().size > 0 ? "No changes to show" : "No change in the text"}
        >
          {at() || "–"} of {panes.visible().length}
        </Show>
      </span>
    </>
  );
}

/** How many changes are not among those that are stepped through. */
export function HiddenChanges(props: { readonly panes: PaneSession }) {
  const count = () => props.panes.hidden().size;
  return (
    <Show when={count() > 0}>
      <span class="review-decided">{count()} in whitespace only, hidden</span>
    </Show>
  );
}

interface DecisionStep {
  readonly label: string;
  readonly possible: boolean;
  readonly run: () => Promise<void>;
}

/** Takes decisions back, and makes them again. */
export function DecisionSteps(props: { readonly undo: DecisionStep; readonly redo: DecisionStep }) {
  return (
    <>
      <span class="review-divider" />
      <For each={["undo", "redo"] as const}>
        {(act) => (
          <IconButton
            size="s"
            icon={act}
            label={props[act].label}
            keys={keysFor(act)}
            disabled={!props[act].possible}
            onClick={() => void props[act].run()}
          />
        )}
      </For>
    </>
  );
}

/** How the changes are drawn. */
export function PaneChoices(props: { readonly panes: PaneSession }) {
  const { panes } = props;
  const whitespace = () => panes.whitespace() === "ignore";
  return (
    <>
      <span class="review-gap" />
      <IconButton
        size="s"
        icon="whitespace"
        label="Ignore changes in whitespace"
        pressed={whitespace()}
        onClick={() => panes.setWhitespace(whitespace() ? "show" : "ignore")}
      />
      <IconButton
        size="s"
        icon="split"
        label="Side by side"
        pressed={panes.layout() === "side-by-side"}
        disabled={panes.isOneSided()}
        onClick={() => panes.setLayout("side-by-side")}
      />
      <IconButton
        size="s"
        icon="inline"
        label="Inline"
        pressed={panes.layout() === "inline"}
        disabled={panes.isOneSided()}
        onClick={() => panes.setLayout("inline")}
      />
    </>
  );
}

/** The row of tools above the panes. */
export function PaneToolbar(props: ParentProps) {
  return (
    <div class="review-tools" role="toolbar" aria-label="Changes">
      {props.children}
    </div>
  );
}

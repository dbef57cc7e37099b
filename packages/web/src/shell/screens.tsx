import { For, Show } from "solid-js";
import { Button, CopyButton } from "../design/index.js";
import { Mark } from "./mark.js";

/** The frame before the workbench has answered: the same lines, nothing in them yet. */
export function Connecting() {
  return (
    <div class="shell shell-skeleton" aria-busy="true">
      <div class="shell-body">
        <div class="shell-rail" />
        <div class="shell-sidebar shell-skeleton-rows">
          <For each={[62, 48, 71, 39, 55, 66, 44]}>
            {(width) => <span style={{ width: `${width}%` }} />}
          </For>
        </div>
        <main class="shell-main">
          <h1 class="unseen">Connecting to Lockstep</h1>
          <div class="shell-tabs" />
        </main>
      </div>
      <div class="shell-status" />
    </div>
  );
}

/** Lies over the page, which stays: what was typed is still in it. */
export function Expired(props: {
  readonly folder: string | undefined;
  /** Takes this screen away; undefined where nothing is under it. */
  readonly onLook: (() => void) | undefined;
}) {
  return (
    <div class="shell-expired">
      <main class="shell-expired-box" aria-labelledby="expired-title">
        <Mark />
        <h1 id="expired-title">This link to Lockstep has expired</h1>
        <p>
          Lockstep was restarted, or this browser’s pass is no longer known. Run it again
          {props.folder ? ` in ${props.folder}` : " in the project’s folder"}; it opens a new page
          with your tabs and unsaved edits.
        </p>
        <span class="shell-command">
          <code>lockstep</code>
          <CopyButton text="lockstep" label="Copy “lockstep”" />
        </span>
        <Show when={props.onLook}>
          {(look) => (
            <Button kind="quiet" size="s" icon="eye" onClick={() => look()()}>
              Look at this page once more
            </Button>
          )}
        </Show>
      </main>
    </div>
  );
}

import { For } from "solid-js";
import { CopyButton } from "../design/index.js";
import { Mark } from "./mark.js";

/** The frame before the workbench has answered: the same lines, nothing in them yet. */
export function Connecting() {
  return (
    <div class="shell shell-skeleton" role="status" aria-label="Connecting to Lockstep">
      <div class="shell-body">
        <div class="shell-rail" />
        <div class="shell-sidebar shell-skeleton-rows">
          <For each={[62, 48, 71, 39, 55, 66, 44]}>
            {(width) => <span style={{ width: `${width}%` }} />}
          </For>
        </div>
        <div class="shell-main">
          <div class="shell-tabs" />
          <div class="shell-middle" />
        </div>
      </div>
      <div class="shell-status" />
    </div>
  );
}

/** Lies over the page, which stays: what was typed is still in it. */
export function Expired(props: { readonly folder: string | undefined }) {
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
      </main>
    </div>
  );
}

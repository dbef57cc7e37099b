import type { Permission } from "@lockstep/workbench/contract";
import { For, Show } from "solid-js";
import { Button, showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { PERMISSIONS_ID } from "./show-permissions.js";

/** What the person has allowed for good in this workspace, each with a way to take it back. */
export function Permissions() {
  let section: HTMLElement | undefined;
  const ids = () => Object.keys(state().permissions);
  const revoke = ({ id }: Permission) => {
    // The row goes, and the focus must not go with it.
    section?.focus();
    void call("permission.revoke", { id }).catch(showProblem);
  };
  return (
    <section
      id={PERMISSIONS_ID}
      ref={section}
      class="settings-section"
      aria-label="Allowed in this workspace"
      tabIndex={-1}
    >
      <h3 class="settings-section-title">Allowed in this workspace</h3>
      <Show
        when={ids().length > 0}
        fallback={
          <p class="settings-none">
            Nothing yet. What you allow for good, such as an agent running code in notebooks, is
            listed here and can be revoked.
          </p>
        }
      >
        <ul class="settings-permissions">
          <For each={ids()}>
            {(id) => (
              <Show when={state().permissions[id]}>
                {(permission) => <Row permission={permission()} onRevoke={revoke} />}
              </Show>
            )}
          </For>
        </ul>
      </Show>
    </section>
  );
}

function Row(props: {
  readonly permission: Permission;
  readonly onRevoke: (permission: Permission) => void;
}) {
  return (
    <li class="settings-row settings-permission">
      <div class="settings-about">
        <h4 class="settings-label">{props.permission.title}</h4>
        <p class="settings-text settings-permission-text">
          <Show when={props.permission.detail}>
            <span>{props.permission.detail}</span>
          </Show>
          <span class="settings-since">Since {day(props.permission.since)}</span>
        </p>
      </div>
      <div class="settings-control">
        <Button
          size="s"
          aria-label={`Revoke: ${props.permission.title}`}
          onClick={() => props.onRevoke(props.permission)}
        >
          Revoke
        </Button>
      </div>
    </li>
  );
}

const day = (time: number): string =>
  new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

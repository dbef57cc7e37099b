import { DEFAULTS } from "@lockstep/workbench/contract";
import { createUniqueId, Show } from "solid-js";
import { IconButton, showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { SettingControl } from "./setting-control.js";
import type { Setting } from "./setting-list.js";

export type Scope = "user" | "project";

/** One setting: what it is, its control, whether this scope has it, and the way back. */
export function SettingRow(props: { readonly setting: Setting; readonly scope: Scope }) {
  const id = createUniqueId();
  const settings = () => state().settings;
  const own = () => settings()[props.scope][props.setting.name];
  const isModified = () => own() !== undefined;
  const isBarred = () => props.scope === "project" && props.setting.userOnly === true;
  /** What this scope has; else what it takes from below. */
  const value = () => {
    if (isModified()) return own();
    if (props.setting.name === "privateFiles") return [];
    const below = props.scope === "project" ? settings().user[props.setting.name] : undefined;
    return below ?? DEFAULTS[props.setting.name];
  };
  const isOverruled = () =>
    props.scope === "user" && settings().project[props.setting.name] !== undefined;
  const set = (next: unknown) =>
    call("settings.set", { scope: props.scope, name: props.setting.name, value: next }).catch(
      showProblem,
    );
  return (
    <div class="settings-row" classList={{ "settings-modified": isModified() }}>
      <div class="settings-about">
        <h4 class="settings-label">
          {props.setting.label}
          <Show when={isModified()}>
            <span class="unseen">, modified</span>
          </Show>
        </h4>
        <p id={id} class="settings-text">
          {props.setting.text}
          <Show when={isBarred()}> Only you can set this, not a project.</Show>
          <Show when={isOverruled() && props.setting.name !== "privateFiles"}>
            {" "}
            This project has its own.
          </Show>
        </p>
      </div>
      <div class="settings-control">
        <span class="settings-reset">
          <Show when={isModified()}>
            <IconButton
              icon="undo"
              size="s"
              label={`Reset ${props.setting.label}`}
              onClick={() => void set(null)}
            />
          </Show>
        </span>
        <SettingControl
          setting={props.setting}
          value={value()}
          disabled={isBarred()}
          describedBy={id}
          onChange={(next) => void set(next)}
        />
      </div>
    </div>
  );
}

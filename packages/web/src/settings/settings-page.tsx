import "./settings.css";
import { fileUri } from "@lockstep/protocol";
import { createSignal, For, Show } from "solid-js";
import { Button, Icon, showProblem } from "../design/index.js";
import { state } from "../replica/state.js";
import { openFile } from "../replica/view.js";
import { Permissions } from "./permissions.js";
import { SECTIONS } from "./setting-list.js";
import { type Scope, SettingRow } from "./setting-row.js";

const SCOPES: readonly { readonly scope: Scope; readonly label: string; readonly text: string }[] =
  [
    { scope: "user", label: "Yours", text: "Hold in all projects." },
    {
      scope: "project",
      label: "This project’s",
      text: "Hold in this folder, for all who open it.",
    },
  ];

/** `lockstep.json` as a form; what is changed here is in the file at once. */
export function SettingsPage() {
  const [scope, setScope] = createSignal<Scope>("user");
  const file = () => state().settings.files[scope()];
  const problems = () => state().settings.problems;
  const openSettingsFile = () =>
    openFile(fileUri(file()), { preview: false }).catch((problem: unknown) => showProblem(problem));
  return (
    <div class="settings">
      <header class="settings-head">
        <h2 class="settings-title">Settings</h2>
        <fieldset class="settings-scopes">
          <legend class="unseen">Whose settings</legend>
          <For each={SCOPES}>
            {({ scope: one, label }) => (
              <label class="settings-scope">
                <input
                  type="radio"
                  name="settings-scope"
                  class="unseen"
                  checked={scope() === one}
                  onChange={() => setScope(one)}
                />
                <span>{label}</span>
              </label>
            )}
          </For>
        </fieldset>
        <p class="settings-file">
          <span>{SCOPES.find(({ scope: one }) => one === scope())?.text}</span>
          <code>{file()}</code>
          <Show when={isWritten(scope())}>
            <Button size="s" kind="quiet" icon="external" onClick={() => void openSettingsFile()}>
              Open the file
            </Button>
          </Show>
        </p>
      </header>

      <Show when={problems().length > 0}>
        <section class="settings-problems" role="alert">
          <Icon name="warning" />
          <ul>
            <For each={problems()}>{(problem) => <li>{problem}</li>}</For>
          </ul>
        </section>
      </Show>

      <For each={SECTIONS}>
        {({ title, settings }) => (
          <section class="settings-section" aria-label={`${title} settings`}>
            <h3 class="settings-section-title">{title}</h3>
            <For each={settings}>
              {(setting) => <SettingRow setting={setting} scope={scope()} />}
            </For>
          </section>
        )}
      </For>
      <Permissions />
    </div>
  );
}

/** There is a file to open: it has settings, or it is wrong. */
function isWritten(scope: Scope): boolean {
  const { problems, files, ...settings } = state().settings;
  return (
    Object.keys(settings[scope]).length > 0 ||
    problems.some((problem) => problem.startsWith(files[scope]))
  );
}

import type { Uri } from "@lockstep/protocol";
import { Match, Show, Switch } from "solid-js";
import { isShownAsCells } from "../notebook/as-text.js";
import { state } from "../replica/state.js";
import { view } from "../replica/view.js";
import { SettingsPage } from "../settings/index.js";
import { EditorPane, NotebookView, ReviewView, TurnView, UnshownFile } from "./parts.js";
import { Safe } from "./safe.js";
import { tabId } from "./tab.js";
import { activeKey, activeTab } from "./tab-list.js";
import { Welcome } from "./welcome.js";

/** What the chosen tab shows. */
export function Middle() {
  const shownDocument = (): Uri | null => {
    const now = view();
    return now.kind === "document" && state().documents[now.uri] ? now.uri : null;
  };
  const shownReason = () => {
    const now = view();
    if (now.kind !== "document") return null;
    const file = state().tabs.find(({ uri }) => uri === now.uri)?.unshown;
    return file ? { uri: now.uri, file } : null;
  };
  const shownReview = (): string | null => {
    const now = view();
    return now.kind === "review" && state().proposals[now.id] ? now.id : null;
  };
  const shownTurnFile = () => {
    const now = view();
    return now.kind === "turn" ? `${now.turn}:${now.file}` : null;
  };
  const labelledBy = () => (activeTab() ? tabId(activeKey() ?? "") : undefined);
  return (
    <div
      id="shell-middle"
      class="shell-middle"
      data-region="middle"
      role="tabpanel"
      aria-labelledby={labelledBy()}
      aria-label={labelledBy() ? undefined : "Welcome"}
    >
      <Switch>
        <Match when={shownDocument()}>
          {(uri) => (
            <Show
              when={isShownAsCells(uri())}
              fallback={
                <Safe what="The editor">
                  <EditorPane uri={uri()} />
                </Safe>
              }
            >
              <Safe what="The notebook">
                <NotebookView uri={uri()} />
              </Safe>
            </Show>
          )}
        </Match>
        <Match when={shownReason()}>
          {(reason) => (
            <Safe what="The file">
              <UnshownFile uri={reason().uri} file={reason().file} />
            </Safe>
          )}
        </Match>
        <Match when={shownReview()}>
          <Show when={shownReview()} keyed>
            {(id) => (
              <Safe what="The review">
                <ReviewView id={id} />
              </Safe>
            )}
          </Show>
        </Match>
        <Match when={shownTurnFile()}>
          <Show when={shownTurnFile()} keyed>
            {(name) => (
              <Safe what="The turn">
                <TurnView turn={name.split(":")[0] ?? ""} file={name.split(":")[1] ?? ""} />
              </Safe>
            )}
          </Show>
        </Match>
        <Match when={view().kind === "settings"}>
          <Safe what="The settings">
            <SettingsPage />
          </Safe>
        </Match>
        <Match when={view().kind === "nothing"}>
          <Safe what="The welcome">
            <Welcome />
          </Safe>
        </Match>
      </Switch>
    </div>
  );
}

import type { Uri } from "@lockstep/protocol";
import { Match, Show, Switch } from "solid-js";
import { state } from "../replica/state.js";
import { view } from "../replica/view.js";
import { SettingsPage } from "../settings/index.js";
import { EditorPane, ReviewView } from "./parts.js";
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
  const shownReview = (): string | null => {
    const now = view();
    return now.kind === "review" && state().proposals[now.id] ? now.id : null;
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
      <Safe what="This view">
        <Switch>
          <Match when={shownDocument()}>{(uri) => <EditorPane uri={uri()} />}</Match>
          <Match when={shownReview()}>
            <Show when={shownReview()} keyed>
              {(id) => <ReviewView id={id} />}
            </Show>
          </Match>
          <Match when={view().kind === "settings"}>
            <SettingsPage />
          </Match>
          <Match when={view().kind === "nothing"}>
            <Welcome />
          </Match>
        </Switch>
      </Safe>
    </div>
  );
}

import type { Uri } from "@lockstep/protocol";
import { Match, Show, Switch } from "solid-js";
import { Banner, Button, showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { isShownAsText, showAsText } from "./as-text.js";

/** Above a notebook that is shown as text: why, and how it becomes cells. */
export function AsTextBanner(props: { readonly uri: Uri }) {
  const notebook = () => state().notebooks[props.uri];
  const create = () => call("notebook.create", { uri: props.uri }).catch(showProblem);
  return (
    <Switch>
      <Match when={notebook()?.problem}>
        {(why) => (
          <Banner
            tone="info"
            actions={
              <Show when={notebook()?.empty}>
                <Button size="s" kind="primary" onClick={() => void create()}>
                  Make it a notebook
                </Button>
              </Show>
            }
          >
            {why()}
          </Banner>
        )}
      </Match>
      <Match when={notebook() && isShownAsText(props.uri)}>
        <Banner
          tone="info"
          actions={
            <Button size="s" onClick={() => showAsText(props.uri, false)}>
              Open as notebook
            </Button>
          }
        >
          This notebook is shown as text.
        </Banner>
      </Match>
    </Switch>
  );
}

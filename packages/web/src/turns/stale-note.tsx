import type { Uri } from "@lockstep/protocol";
import { Show } from "solid-js";
import { Button, showProblem, showToast } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { copyForAgent, forgetStale } from "./turn-acts.js";

/** After an undo: the agent does not know of it. */
export function StaleNote(props: {
  readonly turn: string;
  readonly uri?: Uri;
  readonly path?: string;
}) {
  const turn = () => state().turns[props.turn];
  /** Of the file that is shown, and not only of others. */
  const isStale = () => turn()?.stale.includes(props.path ?? "") ?? false;
  const mention = async (uri: Uri) => {
    try {
      const { agents } = await call("mention", { uri });
      showToast({
        text: agents > 0 ? "Mentioned at the agent’s prompt." : "No agent is connected.",
      });
    } catch (problem) {
      showProblem(problem);
    }
  };
  return (
    <Show when={(turn()?.stale.length ?? 0) > 0}>
      <div class="turns-stale" role="status">
        <p>
          {turn()?.agent ?? "The agent"} does not know what you undid: tell it, or it will edit from
          what it remembers.
        </p>
        <div class="turns-stale-acts">
          <Button size="s" icon="copy" onClick={() => void copyForAgent(props.turn)}>
            Copy a sentence for it
          </Button>
          <Show when={isStale() && props.uri}>
            {(uri) => (
              <Button size="s" onClick={() => void mention(uri())}>
                Mention the file
              </Button>
            )}
          </Show>
          <Button size="s" kind="quiet" onClick={() => void forgetStale(props.turn)}>
            Dismiss
          </Button>
        </div>
      </div>
    </Show>
  );
}

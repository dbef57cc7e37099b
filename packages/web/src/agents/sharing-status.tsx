import { Show } from "solid-js";
import { keysLabel } from "../commands.js";
import { Icon, IconButton, Switch } from "../design/index.js";
import { currentSelection } from "../editor/current-selection.js";
import { linkStatus } from "../replica/link.js";
import { state } from "../replica/state.js";
import { MENTION, mentionSelection } from "./mention.js";
import { connectedAgents } from "./people.js";
import { isSharing, setSharing } from "./sharing.js";
import { sightWords } from "./sight-words.js";

/** What agents see now, in words, and the switch that stops it and stays as it is set. */
export function SharingStatus() {
  const sight = () => state().sharing.sight;
  // While nobody answers, the words stay with what is known, whatever the switch is to bring about.
  const isOn = () => (linkStatus() === "open" ? isSharing() : state().sharing.on);
  const words = () => (isOn() ? sightWords(sight(), connectedAgents()) : "Sharing is off");
  const isHidden = () => !isOn() || sight().kind === "withheld";
  return (
    <span class="agents-sharing" classList={{ "agents-sharing-off": isHidden() }}>
      <Icon name={isHidden() ? "eye-off" : "eye"} />
      <span class="agents-status-text" role="status" aria-live="off" data-tip={words()}>
        {words()}
      </span>
      <Show when={currentSelection()}>
        <IconButton
          icon="send"
          label="Mention the selection to agents"
          keys={keysLabel(MENTION)}
          size="s"
          onClick={() => void mentionSelection()}
        />
      </Show>
      <span class="agents-switch" data-tip={isSharing() ? "Stop sharing" : "Share again"}>
        <Switch
          bare
          label="Share what I look at with agents"
          on={isSharing()}
          onChange={(on) => void setSharing(on)}
        />
      </span>
    </span>
  );
}

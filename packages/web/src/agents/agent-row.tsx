import { Show } from "solid-js";
import { Icon } from "../design/index.js";
import { state } from "../replica/state.js";
import { showPermissions } from "../settings/show-permissions.js";
import { chooseTerminal, focusTerminal } from "../terminal/chosen.js";
import { setTerminalVisible } from "../terminal/visibility.js";
import { ago, terminalOfAgent } from "./people.js";

interface AgentRowProps {
  readonly id: string;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

/** An agent: whether it is there and since when, where it runs, what is the matter with it. */
export function AgentRow(props: AgentRowProps) {
  const info = () => state().agents[props.id];
  const terminal = () => terminalOfAgent(props.id);
  const show = (id: string) => {
    setTerminalVisible(true);
    chooseTerminal(id);
    focusTerminal();
  };
  return (
    <Show when={info()}>
      {(agent) => (
        <div class="agents-row" classList={{ "agents-row-left": agent().left !== null }}>
          <button
            type="button"
            class="agents-row-main"
            aria-pressed={props.chosen}
            onClick={() => props.onChoose()}
          >
            <span class="agents-dot" aria-hidden="true" />
            <span class="agents-name">{agent().name}</span>
            <span class="agents-since">{since(agent().since, agent().left)}</span>
          </button>
          <Show when={terminal()}>
            {(own) => (
              <button type="button" class="agents-note" onClick={() => show(own().id)}>
                <Icon name="terminal" />
                <span>In the terminal “{own().title}”</span>
              </button>
            )}
          </Show>
          <Show when={mayRunCode(agent().name)}>
            <button type="button" class="agents-note" onClick={showPermissions}>
              <Icon name="play" />
              <span>May run code in notebooks</span>
            </button>
          </Show>
          <Show when={agent().outdated}>
            <p class="agents-note agents-note-warning">
              <Icon name="warning" />
              <span>Says that this editor is too old for it. Update Lockstep.</span>
            </p>
          </Show>
        </div>
      )}
    </Show>
  );
}

/** What it was allowed for good is seen where it is, and taken back in the settings. */
const mayRunCode = (name: string): boolean =>
  Object.values(state().permissions).some(({ agent }) => agent === name);

function since(since: number, left: number | null): string {
  if (left === null) return ago(since) === "just now" ? "just connected" : ago(since);
  return ago(left) === "just now" ? "just left" : `left ${ago(left)} ago`;
}

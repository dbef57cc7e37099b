import { createSignal, For, Show } from "solid-js";
import { CopyButton, Dialog, Icon } from "../design/index.js";
import { state } from "../replica/state.js";
import { showSidebar } from "../shell/layout.js";
import { connectedAgents } from "./people.js";

/** Who is connected, by name; and a warning where agents cannot tell this editor from another. */
export function AgentStatus() {
  const names = () => connectedAgents().map(({ name }) => name);
  const outdated = () => connectedAgents().some((agent) => agent.outdated);
  return (
    <>
      <button
        type="button"
        class="agents-status"
        data-tip={names().length === 0 ? "How to connect an agent" : "Show the agents"}
        onClick={() => showSidebar("agents")}
      >
        <Icon name={outdated() ? "warning" : "agent"} />
        <span class="agents-status-text">{names().join(", ") || "No agent"}</span>
      </button>
      <Show when={state().rivals.length > 0}>
        <RivalWarning />
      </Show>
    </>
  );
}

function RivalWarning() {
  const [open, setOpen] = createSignal(false);
  return (
    <>
      <button
        type="button"
        class="agents-status agents-status-warning"
        data-tip="Agents may not connect by themselves"
        onClick={() => setOpen(true)}
      >
        <Icon name="warning" />
        <span class="agents-status-text">Another editor is open here</span>
      </button>
      <Show when={open()}>
        <Dialog title="Another editor is open on this folder" onClose={() => setOpen(false)}>
          <div class="agents-rivals">
            <p>
              An agent that finds two editors for its folder connects to neither of them by itself.
              These match too:
            </p>
            <ul>
              <For each={state().rivals}>
                {(rival) => (
                  <li>
                    <strong>{rival.name}</strong> on port {rival.port}, process {rival.pid}
                  </li>
                )}
              </For>
            </ul>
            <p>
              Either start the agent in the built-in terminal, where it knows which one is meant.
            </p>
            <p>
              Or choose Lockstep in the agent:
              <span class="agents-line">
                <code>/ide</code>
                <CopyButton text="/ide" label="Copy /ide" />
              </span>
            </p>
          </div>
        </Dialog>
      </Show>
    </>
  );
}

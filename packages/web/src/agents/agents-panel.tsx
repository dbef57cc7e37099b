import { createSignal, For, Show } from "solid-js";
import { Button } from "../design/button.js";
import { CopyButton, EmptyState, IconButton, SidebarHead } from "../design/index.js";
import { openTerminal } from "../terminal/chosen.js";
import "../terminal/commands.js";
import { hasClaude } from "../terminal/programs.js";
import { AgentRow } from "./agent-row.js";
import { LogView } from "./log-view.js";
import { allAgents, connectedAgents } from "./people.js";

/** Who is and was connected, and the log of the one that is chosen. */
export function AgentsPanel() {
  const [wanted, setWanted] = createSignal<string>();
  const ids = () => allAgents().map(({ id }) => id);
  const chosen = () => {
    const id = wanted();
    return id !== undefined && ids().includes(id) ? id : ids()[0];
  };
  return (
    <div class="agents-panel">
      <SidebarHead title="Agents">
        <Show when={ids().length > 0 && hasClaude()}>
          <IconButton
            icon="add"
            label="Open Claude Code"
            size="s"
            onClick={() => void openTerminal("claude")}
          />
        </Show>
      </SidebarHead>
      <Show when={connectedAgents().length === 0}>
        <HowToConnect compact={ids().length > 0} />
      </Show>
      <Show when={ids().length > 0}>
        <ul class="agents-list">
          <For each={ids()}>
            {(id) => (
              <li>
                <AgentRow id={id} chosen={id === chosen()} onChoose={() => setWanted(id)} />
              </li>
            )}
          </For>
        </ul>
        <LogView agent={chosen()} />
      </Show>
    </div>
  );
}

/** What to type; the whole panel's while there was no agent yet. */
function HowToConnect(props: { readonly compact: boolean }) {
  const steps = (
    <div class="agents-steps">
      <p>In the built-in terminal:</p>
      <CommandLine command="claude" />
      <p>In any other terminal in this folder:</p>
      <CommandLine command="claude --ide" />
      <p>
        In one that is running already: <code>/ide</code>
      </p>
    </div>
  );
  return (
    <Show when={!props.compact} fallback={steps}>
      <EmptyState
        icon="agent"
        title="No agent is connected"
        actions={
          <Button
            kind="primary"
            icon={hasClaude() ? "agent" : "terminal"}
            onClick={() => void openTerminal(hasClaude() ? "claude" : "shell")}
          >
            {hasClaude() ? "Open Claude Code" : "Open a terminal"}
          </Button>
        }
      >
        <p>An agent sees what you select here and shows its edits for you to review.</p>
        {steps}
      </EmptyState>
    </Show>
  );
}

function CommandLine(props: { readonly command: string }) {
  return (
    <div class="agents-command">
      <code>{props.command}</code>
      <CopyButton text={props.command} label={`Copy ${props.command}`} />
    </div>
  );
}

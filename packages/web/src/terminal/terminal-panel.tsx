import { For, Show } from "solid-js";
import { keysLabel } from "../commands.js";
import { Button, CopyButton, Kbd } from "../design/index.js";
import { allTerminals, openTerminal, terminalById } from "./chosen.js";
import { TOGGLE } from "./commands.js";
import { hasClaude } from "./programs.js";
import { TerminalScreen } from "./terminal-screen.js";
import { TerminalTabs } from "./terminal-tabs.js";

/** The terminals of the workbench, as tabs. */
export function TerminalPanel() {
  const ids = () => allTerminals().map(({ id }) => id);
  return (
    <div class="terminal-panel">
      <TerminalTabs />
      <div class="shell-panel-body terminal-screens">
        <For each={ids()}>
          {(id) => (
            <Show when={terminalById(id)}>
              {(terminal) => <TerminalScreen terminal={terminal()} />}
            </Show>
          )}
        </For>
        <Show when={ids().length === 0}>
          <Welcome />
        </Show>
      </div>
    </div>
  );
}

/** What stands here while there is no terminal. */
function Welcome() {
  return (
    <div class="terminal-welcome">
      <p class="terminal-welcome-title">A terminal in this folder</p>
      <p>
        Claude Code connects to this editor by itself when it is started here. From any other
        terminal in the folder:
        <span class="terminal-line">
          <code>claude --ide</code>
          <CopyButton text="claude --ide" label="Copy the command" />
        </span>
      </p>
      <p class="terminal-welcome-actions">
        <Button kind="primary" icon="terminal" onClick={() => void openTerminal("shell")}>
          New terminal
        </Button>
        <Show when={hasClaude()}>
          <Button icon="agent" onClick={() => void openTerminal("claude")}>
            Open Claude Code
          </Button>
        </Show>
        <span class="terminal-welcome-keys">
          <Kbd keys={keysLabel(TOGGLE)} /> leads into the terminal and back
        </span>
      </p>
    </div>
  );
}

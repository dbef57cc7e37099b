import type { TerminalInfo } from "@lockstep/workbench/contract";
import { For, Show } from "solid-js";
import { keysLabel } from "../commands.js";
import { Button, IconButton } from "../design/index.js";
import { allTerminals, openTerminal, terminalById } from "./chosen.js";
import { TOGGLE } from "./commands.js";
import { hasClaude } from "./programs.js";
import { TerminalTab } from "./terminal-tab.js";
import { setTerminalVisible } from "./visibility.js";

/** The terminals by name, and what can be opened besides them. */
export function TerminalTabs() {
  const ids = () => allTerminals().map(({ id }) => id);
  return (
    <header class="shell-panel-bar">
      <div
        class="terminal-tabs"
        role="tablist"
        aria-label="Terminals"
        onWheel={(event) => {
          if (event.deltaX === 0) event.currentTarget.scrollLeft += event.deltaY;
        }}
      >
        <For each={ids()}>
          {(id) => (
            <Show when={terminalById(id)}>
              {(terminal: () => TerminalInfo) => <TerminalTab terminal={terminal()} />}
            </Show>
          )}
        </For>
      </div>
      <div class="terminal-actions">
        <Show when={hasClaude()}>
          <Button kind="quiet" size="s" icon="agent" onClick={() => void openTerminal("claude")}>
            Open Claude Code
          </Button>
        </Show>
        <IconButton
          icon="add"
          label="New terminal"
          keys={keysLabel("Mod+Shift+Backquote")}
          size="s"
          onClick={() => void openTerminal("shell")}
        />
        <IconButton
          icon="close"
          label="Hide the terminals"
          keys={keysLabel(TOGGLE)}
          size="s"
          onClick={() => setTerminalVisible(false)}
        />
      </div>
    </header>
  );
}

import { addCommands } from "../commands.js";
import { focusRegion } from "../shell/regions.js";
import { allTerminals, chosenTerminal, focusTerminal, openTerminal } from "./chosen.js";
import { closeTerminal } from "./close-terminal.js";
import { hasClaude } from "./programs.js";
import { setTerminalVisible, terminalVisible } from "./visibility.js";

/** The chord that leads into the terminal and out of it again. */
export const TOGGLE = "Mod+Backquote";

let before: HTMLElement | null = null;

/** Where the focus is, as seen from the terminals. */
function isInside(): boolean {
  return document.activeElement?.closest(".terminal-panel") != null;
}

/** Into the terminal from elsewhere; out of it, back to where the person was. */
function toggle(): void {
  if (terminalVisible() && isInside()) {
    setTerminalVisible(false);
    if (before?.isConnected && before !== document.body) before.focus();
    else focusRegion("middle");
    return;
  }
  before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  setTerminalVisible(true);
  if (allTerminals().length === 0) void openTerminal("shell");
  else focusTerminal();
}

addCommands([
  { id: "terminal.toggle", title: "Terminal: Toggle Terminal", keys: [TOGGLE], run: toggle },
  {
    id: "terminal.new",
    title: "Terminal: New Terminal",
    keys: ["Mod+Shift+Backquote"],
    run: () => openTerminal("shell"),
  },
  {
    id: "terminal.claude",
    title: "Terminal: Open Claude Code",
    when: hasClaude,
    run: () => openTerminal("claude"),
  },
  {
    id: "terminal.close",
    title: "Terminal: Close Terminal",
    when: () => terminalVisible() && chosenTerminal() !== null,
    run: async () => {
      const terminal = chosenTerminal();
      if (terminal) await closeTerminal(terminal);
    },
  },
]);

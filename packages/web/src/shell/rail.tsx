import { For, Show } from "solid-js";
import { commands, keysLabel, runCommand } from "../commands.js";
import { Badge, Icon, type IconName } from "../design/index.js";
import { setView, view } from "../replica/view.js";
import { setTerminalVisible, terminalVisible } from "../terminal/visibility.js";
import { type SidebarName, setSidebarOpen, showSidebar, sidebar, sidebarOpen } from "./layout.js";
import { unseenFiles } from "./turn-notices.js";
import { waitingProposals } from "./waiting.js";

interface Entry {
  readonly name: SidebarName;
  readonly icon: IconName;
  readonly label: string;
}
export const SIDEBARS: readonly Entry[] = [
  { name: "files", icon: "files", label: "Files" },
  { name: "search", icon: "search", label: "Search" },
  { name: "review", icon: "review", label: "Review" },
  { name: "turns", icon: "history", label: "Turns" },
  { name: "agents", icon: "agent", label: "Agents" },
];

/** What the sidebar shows is chosen here; the one that is shown goes away by another click. */
export function Rail() {
  const isShown = (name: SidebarName) => sidebarOpen() && sidebar() === name;
  const count = (name: SidebarName) =>
    name === "review" ? waitingProposals().length : name === "turns" ? unseenFiles() : 0;
  const counted = (name: SidebarName) => (name === "turns" ? "not looked at" : "waiting");
  const toggle = (name: SidebarName) => (isShown(name) ? setSidebarOpen(false) : showSidebar(name));
  const keys = (id: string) => {
    const [chord] = commands().find((command) => command.id === id)?.keys ?? [];
    return chord && keysLabel(chord);
  };
  return (
    <nav class="shell-rail" aria-label="Views" data-region="rail">
      <For each={SIDEBARS}>
        {({ name, icon, label }) => (
          <button
            type="button"
            class="shell-rail-item"
            aria-pressed={isShown(name)}
            aria-label={count(name) > 0 ? `${label}, ${count(name)} ${counted(name)}` : label}
            data-tip={label}
            data-tip-keys={keys(`view.${name}`)}
            data-tip-side="right"
            onClick={() => toggle(name)}
          >
            <Icon name={icon} />
            <Show when={count(name) > 0}>
              <span class="shell-rail-badge">
                <Badge tone="accent">{count(name)}</Badge>
              </span>
            </Show>
          </button>
        )}
      </For>
      <span class="shell-rail-gap" />
      <button
        type="button"
        class="shell-rail-item"
        aria-pressed={terminalVisible()}
        aria-label="Terminal"
        data-tip="Terminal"
        data-tip-keys={keys("terminal.toggle")}
        data-tip-side="right"
        onClick={() =>
          terminalVisible() ? setTerminalVisible(false) : runCommand("terminal.toggle")
        }
      >
        <Icon name="terminal" />
      </button>
      <button
        type="button"
        class="shell-rail-item"
        aria-pressed={view().kind === "settings"}
        aria-label="Settings"
        data-tip="Settings"
        data-tip-keys={keys("view.settings")}
        data-tip-side="right"
        onClick={() => setView({ kind: "settings" })}
      >
        <Icon name="settings" />
      </button>
    </nav>
  );
}

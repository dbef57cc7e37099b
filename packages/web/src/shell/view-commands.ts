import type { Command } from "../commands.js";
import { dismissLatestToast, showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { setView } from "../replica/view.js";
import { showNextProposal } from "./arrivals.js";
import { setSidebarOpen, showSidebar, sidebarOpen } from "./layout.js";
import { showMessages } from "./messages.js";
import { showPalette } from "./palette.js";
import { SIDEBARS } from "./rail.js";
import { focusRegion, stepRegion } from "./regions.js";
import { showShortcuts } from "./shortcuts.js";
import { theme } from "./theme.js";
import { waitingProposals } from "./waiting.js";

const SIDEBAR_KEYS: Readonly<Record<string, string>> = {
  files: "Mod+Shift+KeyE",
  review: "Mod+Shift+KeyG",
  turns: "Mod+Shift+KeyH",
  agents: "Mod+Shift+KeyA",
};

export const viewCommands: readonly Command[] = [
  {
    id: "palette.show",
    title: "View: Command Palette",
    keys: ["Mod+Shift+KeyP", "F1"],
    run: showPalette,
  },
  {
    id: "shortcuts.show",
    title: "View: Keyboard Shortcuts",
    keys: ["Mod+Shift+Slash"],
    run: showShortcuts,
  },
  {
    id: "view.settings",
    title: "View: Settings",
    keys: ["Mod+Comma"],
    run: () => {
      setView({ kind: "settings" });
      queueMicrotask(() => focusRegion("middle"));
    },
  },
  {
    id: "view.sidebar",
    title: "View: Toggle Sidebar",
    keys: ["Mod+KeyB"],
    run: () => void setSidebarOpen(!sidebarOpen()),
  },
  // The search has its own: it takes what is selected.
  ...SIDEBARS.filter(({ name }) => name !== "search").map(({ name, label }) => ({
    id: `view.${name}`,
    title: `View: ${label}`,
    keys: [SIDEBAR_KEYS[name] ?? ""],
    run: () => {
      showSidebar(name);
      queueMicrotask(() => focusRegion("sidebar", "main"));
    },
  })),
  {
    id: "review.nextProposal",
    title: "Review: Next Waiting Proposal",
    keys: ["Mod+Shift+KeyY"],
    when: () => waitingProposals().length > 0,
    run: showNextProposal,
  },
  {
    id: "view.theme",
    title: "View: Toggle Light and Dark",
    run: () =>
      call("settings.set", {
        scope: "user",
        name: "theme",
        value: theme() === "dark" ? "light" : "dark",
      }).catch(showProblem),
  },
  { id: "view.messages", title: "View: Messages", run: showMessages },
  {
    id: "view.dismissMessage",
    title: "View: Dismiss the Latest Message",
    run: () => void dismissLatestToast(),
  },
  {
    id: "focus.next",
    title: "Focus: Next Part of the Window",
    keys: ["F6"],
    run: () => stepRegion(1),
  },
  {
    id: "focus.previous",
    title: "Focus: Previous Part of the Window",
    keys: ["Shift+F6"],
    run: () => stepRegion(-1),
  },
  {
    id: "focus.middle",
    title: "Focus: Editor or Review",
    keys: ["Alt+KeyE"],
    run: () => focusRegion("middle"),
  },
];

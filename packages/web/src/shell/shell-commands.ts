import { addCommands, type Command } from "../commands.js";
import { ask, showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { setView } from "../replica/view.js";
import { showNextProposal } from "./arrivals.js";
import { closeTab } from "./close-tab.js";
import { setSidebarOpen, showSidebar, sidebarOpen } from "./layout.js";
import { showPalette } from "./palette.js";
import { SIDEBARS } from "./rail.js";
import { focusRegion, stepRegion } from "./regions.js";
import { saveAll, saveDocument, saveDocumentAs } from "./save.js";
import { showShortcuts } from "./shortcuts.js";
import { activeTab, showTab, stepTab, type Tab, tabs } from "./tab-list.js";
import { closeTabs } from "./tab-menu.js";
import { theme } from "./theme.js";

type DocumentTab = Extract<Tab, { readonly kind: "document" }>;

const activeDocument = (): DocumentTab | undefined => {
  const tab = activeTab();
  return tab?.kind === "document" ? tab : undefined;
};
const hasDocument = () => activeDocument() !== undefined;
const withDocument = (act: (tab: DocumentTab) => unknown) => () => {
  const tab = activeDocument();
  if (tab) void act(tab);
};

const fileCommands: readonly Command[] = [
  {
    id: "file.new",
    title: "File: New File",
    keys: ["Mod+Alt+KeyN"],
    run: async () => {
      try {
        setView({ kind: "document", ...(await call("document.new", {})) });
      } catch (problem) {
        showProblem(problem);
      }
    },
  },
  {
    id: "file.save",
    title: "File: Save",
    keys: ["Mod+KeyS"],
    run: withDocument(({ uri }) => saveDocument(uri)),
  },
  {
    id: "file.saveAs",
    title: "File: Save As…",
    keys: ["Mod+Shift+KeyS"],
    when: hasDocument,
    run: withDocument(({ uri }) => saveDocumentAs(uri)),
  },
  { id: "file.saveAll", title: "File: Save All", keys: ["Mod+Alt+KeyS"], run: saveAll },
  {
    id: "file.revert",
    title: "File: Revert to Saved",
    when: () => activeDocument()?.info?.dirty ?? false,
    run: withDocument(async ({ uri, info }) => {
      const answer = await ask({
        title: `Revert ${info?.label ?? "the document"}?`,
        text: "It becomes what the file has. Undo brings your edits back.",
        choices: [{ answer: "revert", label: "Revert", kind: "primary" }],
      });
      if (answer) await call("document.revert", { uri }).catch(showProblem);
    }),
  },
];

const tabCommands: readonly Command[] = [
  {
    id: "tab.close",
    title: "Tab: Close Tab",
    keys: ["Alt+KeyW"],
    when: () => activeTab() !== undefined,
    run: async () => {
      const tab = activeTab();
      if (tab) await closeTab(tab);
    },
  },
  {
    id: "tab.closeAll",
    title: "Tab: Close All",
    when: () => tabs().some(({ kind }) => kind !== "review"),
    run: () => closeTabs(tabs().filter(({ kind }) => kind !== "review")),
  },
  {
    id: "tab.next",
    title: "Tab: Next Tab",
    keys: ["Alt+PageDown", "Mod+PageDown"],
    run: () => stepTab(1),
  },
  {
    id: "tab.previous",
    title: "Tab: Previous Tab",
    keys: ["Alt+PageUp", "Mod+PageUp"],
    run: () => stepTab(-1),
  },
  ...Array.from({ length: 9 }, (_, index) => ({
    id: `tab.show${index + 1}`,
    title: `Tab: Show Tab ${index + 1}`,
    keys: [`Alt+Digit${index + 1}`],
    when: () => tabs().length > index,
    run: () => showTab(tabs()[index]),
  })),
  {
    id: "tab.moveLeft",
    title: "Tab: Move Left",
    keys: ["Alt+Shift+PageUp"],
    when: hasDocument,
    run: () => moveTab(-1),
  },
  {
    id: "tab.moveRight",
    title: "Tab: Move Right",
    keys: ["Alt+Shift+PageDown"],
    when: hasDocument,
    run: () => moveTab(1),
  },
];

const SIDEBAR_KEYS: Readonly<Record<string, string>> = {
  files: "Mod+Shift+KeyE",
  search: "Mod+Shift+KeyF",
  review: "Mod+Shift+KeyG",
  agents: "Mod+Shift+KeyA",
};

const viewCommands: readonly Command[] = [
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
    run: () => setView({ kind: "settings" }),
  },
  {
    id: "view.sidebar",
    title: "View: Toggle Sidebar",
    keys: ["Mod+KeyB"],
    run: () => void setSidebarOpen(!sidebarOpen()),
  },
  ...SIDEBARS.map(({ name, label }) => ({
    id: `view.${name}`,
    title: `View: ${label}`,
    keys: [SIDEBAR_KEYS[name] ?? ""],
    run: () => {
      showSidebar(name);
      queueMicrotask(() => focusRegion("sidebar"));
    },
  })),
  {
    id: "review.next",
    title: "Review: Next Waiting Proposal",
    keys: ["Mod+Shift+KeyY"],
    when: () => Object.values(state().proposals).length > 0,
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

/** What the shell itself can do, until disposed. */
export const addShellCommands = (): (() => void) =>
  addCommands([...fileCommands, ...tabCommands, ...viewCommands]);

function moveTab(step: 1 | -1): void {
  const tab = activeDocument();
  const all = state().tabs;
  const to = all.findIndex(({ uri }) => uri === tab?.uri) + step;
  if (tab && to >= 0 && to < all.length)
    void call("tab.move", { uri: tab.uri, to }).catch(showProblem);
}

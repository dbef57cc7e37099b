import type { Command } from "../commands.js";
import { showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { closeTab } from "./close-tab.js";
import { activeTab, showTab, stepTab, tabs } from "./tab-list.js";
import { closeTabs } from "./tab-menu.js";
import { showTabList } from "./tab-overflow.js";

export const tabCommands: readonly Command[] = [
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
    id: "tab.list",
    title: "Tab: List of All Tabs",
    keys: ["Alt+Digit0"],
    when: () => tabs().length > 0,
    run: showTabList,
  },
  {
    id: "tab.moveLeft",
    title: "Tab: Move Left",
    keys: ["Alt+Shift+PageUp"],
    when: () => activeTab()?.kind === "document",
    run: () => moveTab(-1),
  },
  {
    id: "tab.moveRight",
    title: "Tab: Move Right",
    keys: ["Alt+Shift+PageDown"],
    when: () => activeTab()?.kind === "document",
    run: () => moveTab(1),
  },
];

function moveTab(step: 1 | -1): void {
  const tab = activeTab();
  if (tab?.kind !== "document") return;
  const all = state().tabs;
  const to = all.findIndex(({ uri }) => uri === tab.uri) + step;
  if (to >= 0 && to < all.length) void call("tab.move", { uri: tab.uri, to }).catch(showProblem);
}

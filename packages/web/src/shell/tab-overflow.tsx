import { createSignal, Show } from "solid-js";
import { keysLabel } from "../commands.js";
import { IconButton, Menu, type MenuItem } from "../design/index.js";
import { focusRegion } from "./regions.js";
import { TAB_ICONS } from "./tab.js";
import { activeKey, showTab, tabs } from "./tab-list.js";
import { tabAside, tabLabel } from "./tab-words.js";

const [open, setOpen] = createSignal(false);
export const showTabList = (): void => void setOpen(true);

/** At the end of the tabs, while not all of them fit. */
export function TabListButton() {
  return (
    <IconButton
      class="shell-tab-list"
      icon="chevron-down"
      label="All tabs"
      keys={keysLabel("Alt+Digit0")}
      size="s"
      aria-haspopup="menu"
      aria-expanded={open()}
      onClick={showTabList}
    />
  );
}

/** Mounted once: all tabs by name, beginning at the one that is shown. */
export function TabListMenu() {
  const items = (): readonly MenuItem[] =>
    tabs().map((tab) => ({
      label: tabLabel(tab),
      aside: tabAside(tab),
      icon: TAB_ICONS[tab.kind],
      current: tab.key === activeKey(),
      run: () => {
        showTab(tab);
        focusRegion("middle");
      },
    }));
  return (
    <Show when={open()}>
      <Menu label="All tabs" at={corner()} items={items()} onClose={() => setOpen(false)} />
    </Show>
  );
}

/** Below the right end of the tabs; the menu moves itself into sight. */
function corner(): { x: number; y: number } {
  const bar = document.querySelector(".shell-tab-bar")?.getBoundingClientRect();
  return { x: bar?.right ?? innerWidth, y: bar?.bottom ?? 0 };
}

import { createEffect, createRoot, createSignal } from "solid-js";

/** How this browser likes its window divided; kept over reloads, not shared with other windows. */
export type SidebarName = "files" | "search" | "review" | "turns" | "agents";

interface Layout {
  readonly sidebar: SidebarName;
  readonly sidebarOpen: boolean;
  readonly sidebarWidth: number;
  readonly panelHeight: number;
}

const KEY = "lockstep.layout";
export const SIDEBAR_WIDTHS = { least: 180, most: 560 } as const;
export const PANEL_HEIGHTS = { least: 96, most: 720 } as const;
/** Below this the sidebar lies over the middle instead of beside it. As in shell.css. */
const NARROW = "(max-width: 860px)";

const usual: Layout = {
  sidebar: "files",
  sidebarOpen: true,
  sidebarWidth: 264,
  panelHeight: 240,
};
const stored = read();

const narrowQuery = matchMedia(NARROW);
const [isNarrow, setNarrow] = createSignal(narrowQuery.matches);
const [sidebar, setSidebar] = createSignal(stored.sidebar);
const [sidebarOpen, setSidebarOpen] = createSignal(stored.sidebarOpen && !narrowQuery.matches);
const [sidebarWidth, setWidth] = createSignal(stored.sidebarWidth);
const [panelHeight, setHeight] = createSignal(stored.panelHeight);
/** What a window that was narrow for a while goes back to. */
let openWhenWide = stored.sidebarOpen;
narrowQuery.addEventListener("change", ({ matches }) => {
  if (matches) openWhenWide = sidebarOpen();
  setNarrow(matches);
  setSidebarOpen(!matches && openWhenWide);
});

export { isNarrow, panelHeight, setSidebarOpen, sidebar, sidebarOpen, sidebarWidth };

export const setSidebarWidth = (width: number) =>
  setWidth(within(width, SIDEBAR_WIDTHS.least, SIDEBAR_WIDTHS.most));
export const setPanelHeight = (height: number) =>
  setHeight(within(height, PANEL_HEIGHTS.least, PANEL_HEIGHTS.most));

export function showSidebar(name: SidebarName): void {
  setSidebar(name);
  setSidebarOpen(true);
}

createRoot(() => {
  createEffect(() => {
    const layout: Layout = {
      sidebar: sidebar(),
      sidebarOpen: isNarrow() ? openWhenWide : sidebarOpen(),
      sidebarWidth: sidebarWidth(),
      panelHeight: panelHeight(),
    };
    localStorage.setItem(KEY, JSON.stringify(layout));
  });
});

/** What another version of the page stored, or somebody's hand, must not break this one. */
function read(): Layout {
  try {
    const found: Partial<Layout> = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const names: readonly unknown[] = ["files", "search", "review", "turns", "agents"];
    return {
      sidebar: names.includes(found.sidebar) ? (found.sidebar as SidebarName) : usual.sidebar,
      sidebarOpen: found.sidebarOpen !== false,
      sidebarWidth: Number(found.sidebarWidth) || usual.sidebarWidth,
      panelHeight: Number(found.panelHeight) || usual.panelHeight,
    };
  } catch {
    return usual;
  }
}

function within(value: number, least: number, most: number): number {
  return Math.round(Math.max(least, Math.min(most, value)));
}

import { Match, onCleanup, onMount, Show, Switch } from "solid-js";
import {
  isNarrow,
  SIDEBAR_WIDTHS,
  setSidebarOpen,
  setSidebarWidth,
  sidebar,
  sidebarWidth,
} from "./layout.js";
import { AgentsPanel, FileTree, ReviewQueue, SearchPanel, TurnsPanel } from "./parts.js";
import { SIDEBARS } from "./rail.js";
import { Safe } from "./safe.js";
import { Splitter } from "./splitter.js";

/** What the sidebar lies over in a narrow window. */
const BELOW = '[data-region="middle"], [data-region="tabs"], [data-region="panel"]';

export function Sidebar() {
  const label = () => SIDEBARS.find(({ name }) => name === sidebar())?.label ?? "";
  // Whoever goes to what lies below it wants to see it.
  const onFocus = ({ target }: FocusEvent) => {
    const below = target instanceof Element && target.closest(BELOW);
    if (isNarrow() && below) setSidebarOpen(false);
  };
  document.addEventListener("focusin", onFocus);
  onCleanup(() => document.removeEventListener("focusin", onFocus));
  return (
    <>
      <Show when={isNarrow()}>
        <div class="shell-scrim" onPointerDown={() => setSidebarOpen(false)} />
      </Show>
      <aside
        class="shell-sidebar"
        aria-label={label()}
        data-region="sidebar"
        style={{ width: `${sidebarWidth()}px` }}
        ref={(element) =>
          onMount(() =>
            element.addEventListener("keydown", (event) => {
              if (event.key === "Escape" && isNarrow() && !event.defaultPrevented)
                setSidebarOpen(false);
            }),
          )
        }
      >
        <div class="shell-sidebar-box">
          <Switch>
            <Match when={sidebar() === "files"}>
              <Safe what={label()}>
                <FileTree />
              </Safe>
            </Match>
            <Match when={sidebar() === "search"}>
              <Safe what={label()}>
                <SearchPanel />
              </Safe>
            </Match>
            <Match when={sidebar() === "review"}>
              <Safe what={label()}>
                <ReviewQueue />
              </Safe>
            </Match>
            <Match when={sidebar() === "turns"}>
              <Safe what={label()}>
                <TurnsPanel />
              </Safe>
            </Match>
            <Match when={sidebar() === "agents"}>
              <Safe what={label()}>
                <AgentsPanel />
              </Safe>
            </Match>
          </Switch>
        </div>
        <Splitter
          label="Width of the sidebar"
          orientation="vertical"
          direction={1}
          value={sidebarWidth()}
          {...SIDEBAR_WIDTHS}
          onChange={setSidebarWidth}
          onToggle={() => setSidebarOpen(false)}
        />
      </aside>
    </>
  );
}

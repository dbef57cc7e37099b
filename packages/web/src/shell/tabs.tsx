import type { Uri } from "@lockstep/protocol";
import { createEffect, createMemo, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { Menu } from "../design/index.js";
import { call } from "../replica/link.js";
import { DRAGGED_TAB, TabView, tabId } from "./tab.js";
import { activeKey, type Tab, tabs } from "./tab-list.js";
import { tabMenu } from "./tab-menu.js";
import { TabListButton, TabListMenu } from "./tab-overflow.js";
import { tabLabel, tabName } from "./tab-words.js";

/** Documents, then proposals, then the settings; what does not fit is scrolled to. */
export function Tabs() {
  const [menu, setMenu] = createSignal<{ tab: Tab; x: number; y: number } | null>(null);
  const [dropAt, setDropAt] = createSignal<number | null>(null);
  // By key, so that a tab that changes keeps its element, and with it the focus.
  const keys = createMemo(() => tabs().map(({ key }) => key));
  const documents = () => tabs().filter(({ kind }) => kind === "document").length;
  let strip: HTMLDivElement | undefined;

  const onWheel = (event: WheelEvent) => {
    if (strip && event.deltaX === 0) strip.scrollLeft += event.deltaY;
  };
  const [overflows, setOverflows] = createSignal(false);
  const settle = () => {
    if (!strip) return;
    setOverflows(strip.scrollWidth > strip.clientWidth);
    const key = activeKey();
    const element = key === null ? null : document.getElementById(tabId(key));
    element?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  createEffect(() => {
    activeKey();
    tabs().map(tabName);
    overflows();
    // After the tabs are in the page: at the first time they are not yet.
    requestAnimationFrame(settle);
  });
  onMount(() => {
    const observer = new ResizeObserver(settle);
    if (strip) observer.observe(strip);
    onCleanup(() => observer.disconnect());
  });
  /** Before or behind the tab that the pointer is over. */
  const place = (event: DragEvent, index: number) => {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return Math.min(event.clientX > left + width / 2 ? index + 1 : index, documents());
  };
  const drop = (event: DragEvent, to: number) => {
    setDropAt(null);
    const uri = event.dataTransfer?.getData(DRAGGED_TAB) as Uri | undefined;
    const from = tabs().findIndex((tab) => tab.kind === "document" && tab.uri === uri);
    if (from < 0 || !uri) return;
    event.preventDefault();
    void call("tab.move", { uri, to: from < to ? to - 1 : to });
  };

  return (
    <div class="shell-tab-bar" data-region="tabs">
      <div ref={strip} class="shell-tabs" role="tablist" aria-label="Open tabs" onWheel={onWheel}>
        <For each={keys()}>
          {(key, index) => (
            <Show when={tabs().find((tab) => tab.key === key)}>
              {(tab) => (
                <TabView
                  tab={tab()}
                  index={index()}
                  mark={
                    dropAt() === index()
                      ? "before"
                      : dropAt() === index() + 1 && index() + 1 === documents()
                        ? "after"
                        : null
                  }
                  onMenu={(event) => setMenu({ tab: tab(), x: event.clientX, y: event.clientY })}
                  onDragOver={(event) => {
                    if (!event.dataTransfer?.types.includes(DRAGGED_TAB)) return;
                    event.preventDefault();
                    setDropAt(place(event, index()));
                  }}
                  onDragEnd={() => setDropAt(null)}
                  onDrop={(event) => drop(event, place(event, index()))}
                />
              )}
            </Show>
          )}
        </For>
      </div>
      <Show when={overflows()}>
        <TabListButton />
      </Show>
      <TabListMenu />
      <Show when={menu()} keyed>
        {({ tab, x, y }) => (
          <Menu
            label={tabLabel(tab)}
            at={{ x, y }}
            items={tabMenu(tab)}
            onClose={() => setMenu(null)}
          />
        )}
      </Show>
    </div>
  );
}

import { Show } from "solid-js";
import { Icon, type IconName } from "../design/index.js";
import { markOfDocument } from "../problems/counts.js";
import { call } from "../replica/link.js";
import { closeTab } from "./close-tab.js";
import { focusRegion } from "./regions.js";
import { activeKey, showTab, type Tab, tabs } from "./tab-list.js";
import { tabAside, tabHint, tabLabel, tabName } from "./tab-words.js";

export const TAB_ICONS: Readonly<Record<Tab["kind"], IconName>> = {
  document: "file",
  review: "review",
  turn: "history",
  settings: "settings",
};

/** What a dragged tab carries: its document's URI. */
export const DRAGGED_TAB = "application/x-lockstep-tab";

export const tabId = (key: string): string => `tab-${key}`;

interface TabViewProps {
  readonly tab: Tab;
  readonly index: number;
  /** Where a dragged tab would come to stand. */
  readonly mark: "before" | "after" | null;
  readonly onMenu: (event: MouseEvent) => void;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDragEnd: () => void;
  readonly onDrop: (event: DragEvent) => void;
}

/** Its cross is for the pointer only: a tab has no controls inside. By key it is Delete, or Alt+W. */
export function TabView(props: TabViewProps) {
  const isActive = () => props.tab.key === activeKey();
  const isPreview = () => props.tab.kind === "document" && props.tab.preview;
  const isDirty = () => props.tab.kind === "document" && (props.tab.info?.dirty ?? false);
  const problems = () => (props.tab.kind === "document" ? markOfDocument(props.tab.uri) : null);
  const onKey = (event: KeyboardEvent) => {
    const all = tabs();
    const around: Readonly<Record<string, Tab | undefined>> = {
      ArrowLeft: all[(props.index - 1 + all.length) % all.length],
      ArrowRight: all[(props.index + 1) % all.length],
      Home: all[0],
      End: all.at(-1),
    };
    const next = around[event.key];
    if (next) {
      showTab(next);
      document.getElementById(tabId(next.key))?.focus();
    } else if (event.key === "Delete") void closeTab(props.tab);
    else if (event.key === "Enter" || event.key === " ") {
      showTab(props.tab);
      focusRegion("middle");
    } else return;
    event.preventDefault();
  };
  return (
    <div
      id={tabId(props.tab.key)}
      role="tab"
      class={`shell-tab shell-tab-${props.tab.kind}`}
      classList={{
        "shell-tab-preview": isPreview(),
        "shell-tab-before": props.mark === "before",
        "shell-tab-after": props.mark === "after",
      }}
      data-problems={problems()?.severity}
      aria-selected={isActive()}
      aria-controls="shell-middle"
      aria-label={tabName(props.tab)}
      tabIndex={isActive() || (activeKey() === null && props.index === 0) ? 0 : -1}
      data-tip={tabHint(props.tab)}
      draggable={props.tab.kind === "document"}
      onDragStart={(event) => {
        if (props.tab.kind === "document") event.dataTransfer?.setData(DRAGGED_TAB, props.tab.uri);
      }}
      onDragOver={props.onDragOver}
      onDragLeave={props.onDragEnd}
      onDragEnd={props.onDragEnd}
      onDrop={props.onDrop}
      onPointerDown={(event) => event.button === 0 && showTab(props.tab)}
      onClick={(event) => {
        // A finger would call up the keyboard over what it wants to see.
        if ((event as Event as PointerEvent).pointerType !== "touch") focusRegion("middle");
      }}
      onAuxClick={(event) => event.button === 1 && void closeTab(props.tab)}
      onDblClick={() => {
        if (props.tab.kind === "document") void call("tab.keep", { uri: props.tab.uri });
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        props.onMenu(event);
      }}
      onKeyDown={onKey}
    >
      <Icon name={TAB_ICONS[props.tab.kind]} />
      <span class="shell-tab-name">{tabLabel(props.tab)}</span>
      <Show when={tabAside(props.tab)}>
        {(aside) => <span class="shell-tab-aside"> {aside()}</span>}
      </Show>
      <span
        class="shell-tab-end"
        classList={{ "shell-tab-dirty": isDirty() }}
        aria-hidden="true"
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          void closeTab(props.tab);
        }}
      >
        <Icon name="close" />
      </span>
    </div>
  );
}

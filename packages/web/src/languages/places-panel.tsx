import "../problems/problems.css";
import { createEffect, createMemo, createSignal, Index, on, onMount, Show } from "solid-js";
import { Badge, EmptyState, Icon, IconButton, showProblem } from "../design/index.js";
import { createVirtualRows } from "../files/virtual-rows.js";
import { openFile } from "../replica/view.js";
import { showPanel } from "../shell/panel-state.js";
import { focusRegion } from "../shell/regions.js";
import { foundPlaces, setFoundPlaces } from "./found-places.js";
import { leave } from "./navigation.js";
import { type PlaceRow, placeRows } from "./place-rows.js";

const rowId = (index: number) => `place-row-${index}`;

/** Places in the code that were asked for: where a name is used, or its several definitions. */
export function PlacesPanel() {
  const [closed, setClosed] = createSignal<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = createSignal(0);
  let scroller: HTMLDivElement | undefined;
  const rows = createMemo(() => placeRows(foundPlaces()?.places ?? [], closed()));
  const virtual = createVirtualRows(rows);
  const isFirst = () => rows().findIndex(({ kind }) => kind === "place");
  onMount(() => scroller && virtual.attach(scroller));
  createEffect(
    on(foundPlaces, () => {
      setClosed(new Set<string>());
      setCurrent(Math.max(0, isFirst()));
    }),
  );

  const go = (index: number) => {
    const to = Math.max(0, Math.min(rows().length - 1, index));
    setCurrent(to);
    virtual.reveal(to);
  };
  const fold = (uri: string) =>
    setClosed((now) => {
      const next = new Set(now);
      if (!next.delete(uri)) next.add(uri);
      return next;
    });
  const act = (row: PlaceRow | undefined) => {
    if (row?.kind === "file") fold(row.uri);
    else if (row) {
      leave();
      openFile(row.place.uri, { range: row.place.range }).catch(showProblem);
    }
  };
  const step = (wanted: "open" | "closed") => {
    const row = rows()[current()];
    if (row?.kind === "file") {
      if (row.open !== (wanted === "open")) fold(row.uri);
      else if (wanted === "open") go(current() + 1);
    } else if (row && wanted === "closed") {
      go(rows().findIndex(({ kind, uri }) => kind === "file" && uri === row.uri));
    }
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => go(current() + 1),
    ArrowUp: () => go(current() - 1),
    Home: () => go(0),
    End: () => go(rows().length - 1),
    PageDown: () => go(current() + virtual.page()),
    PageUp: () => go(current() - virtual.page()),
    ArrowRight: () => step("open"),
    ArrowLeft: () => step("closed"),
    Enter: () => act(rows()[current()]),
    " ": () => act(rows()[current()]),
    Escape: () => focusRegion("middle"),
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]?.();
  };
  const close = () => {
    setFoundPlaces(null);
    showPanel(null);
    focusRegion("middle");
  };
  const isVisible = () => virtual.visible().some(({ index }) => index === current());
  return (
    <>
      <header class="shell-panel-bar">
        <span class="places-about">
          <Show when={foundPlaces()?.name}>
            {(name) => (
              <>
                of <code>{name()}</code>
              </>
            )}
          </Show>
        </span>
        <span class="problems-rest">
          <IconButton icon="close" label="Close the list" size="s" onClick={close} />
        </span>
      </header>
      <div class="shell-panel-body problems">
        <Show
          when={rows().length > 0}
          fallback={
            <EmptyState icon="search" title="Nothing was looked for yet">
              Ask for references with Shift+F12.
            </EmptyState>
          }
        >
          <div
            ref={scroller}
            class="problems-list places-list"
            role="tree"
            tabIndex="0"
            data-region-focus
            aria-label={foundPlaces()?.title ?? "Places"}
            aria-activedescendant={isVisible() ? rowId(current()) : undefined}
            onKeyDown={onKey}
            onClick={(event) => {
              const target = event.target instanceof Element ? event.target : null;
              const at = Number(target?.closest("[data-index]")?.getAttribute("data-index") ?? -1);
              if (at < 0) return;
              setCurrent(at);
              act(rows()[at]);
            }}
          >
            <div class="files-rows" role="none" style={{ height: `${virtual.height()}px` }}>
              <Index each={virtual.visible()}>
                {(shown) => (
                  <Row
                    row={shown().row}
                    index={shown().index}
                    top={shown().index * virtual.rowHeight()}
                    isCurrent={shown().index === current()}
                  />
                )}
              </Index>
            </div>
          </div>
        </Show>
      </div>
    </>
  );
}

interface RowProps {
  readonly row: PlaceRow;
  readonly index: number;
  readonly top: number;
  readonly isCurrent: boolean;
}

function Row(props: RowProps) {
  const file = () => (props.row.kind === "file" ? props.row : null);
  const place = () => (props.row.kind === "place" ? props.row : null);
  return (
    <div
      id={rowId(props.index)}
      class="problems-row"
      classList={{ "problems-row-current": props.isCurrent, "problems-row-below": !file() }}
      role="treeitem"
      tabIndex="-1"
      data-index={props.index}
      aria-level={file() ? 1 : 2}
      aria-expanded={file()?.open}
      aria-selected={props.isCurrent}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      <Show when={file()}>
        {(head) => (
          <>
            <Icon name={head().open ? "chevron-down" : "chevron-right"} class="problems-chevron" />
            <span class="problems-name">{head().name}</span>
            <span class="problems-place">{head().folder}</span>
            <Badge>{head().count.toLocaleString("en")}</Badge>
          </>
        )}
      </Show>
      <Show when={place()}>
        {(row) => (
          <>
            <span class="places-line">
              {row().pieces[0]}
              <mark class="places-match">{row().pieces[1]}</mark>
              {row().pieces[2]}
            </span>
            <span class="problems-line">{row().place.range.start.line + 1}</span>
          </>
        )}
      </Show>
    </div>
  );
}

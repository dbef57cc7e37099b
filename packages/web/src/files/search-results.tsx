import { createEffect, createMemo, createSignal, For, Index, on, onMount, Show } from "solid-js";
import { chordOf, keysLabel } from "../commands.js";
import { Badge, Icon, IconButton, showProblem } from "../design/index.js";
import { openFile } from "../replica/view.js";
import { replaceInOne } from "./replace-actions.js";
import { piecesOf, type SearchRow, searchRows } from "./search-rows.js";
import { closed, dismiss, found, query, replacement, toggleClosed } from "./search-state.js";
import { createVirtualRows } from "./virtual-rows.js";

const rowId = (index: number) => `search-row-${index}`;

/** What was found, by file. Only the rows that can be seen are in the page. */
export function SearchResults(props: { readonly replacing: boolean }) {
  const [current, setCurrent] = createSignal(-1);
  let scroller: HTMLDivElement | undefined;
  const rows = createMemo(() => searchRows(found(), closed()));
  const virtual = createVirtualRows(rows);
  onMount(() => scroller && virtual.attach(scroller));
  createEffect(on(query, () => setCurrent(-1), { defer: true }));

  const go = (index: number) => {
    const to = Math.max(0, Math.min(rows().length - 1, index));
    setCurrent(to);
    virtual.reveal(to);
  };
  const act = (row: SearchRow | undefined, preview: boolean) => {
    if (row?.kind === "file") toggleClosed(row.file.uri);
    else if (row) void open(row, preview).catch(showProblem);
  };
  const fold = (wanted: "open" | "closed") => {
    const row = rows()[current()];
    if (!row) return;
    if (row.kind === "file") {
      if (row.open !== (wanted === "open")) toggleClosed(row.file.uri);
      else if (wanted === "open") go(current() + 1);
    } else if (wanted === "closed") {
      go(rows().findIndex((other) => other.kind === "file" && other.file === row.file));
    }
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => go(current() + 1),
    ArrowUp: () => go(current() - 1),
    Home: () => go(0),
    End: () => go(rows().length - 1),
    PageDown: () => go(current() + virtual.page()),
    PageUp: () => go(current() - virtual.page()),
    ArrowRight: () => fold("open"),
    ArrowLeft: () => fold("closed"),
    Enter: () => act(rows()[current()], false),
    " ": () => act(rows()[current()], true),
    Delete: () => {
      const row = rows()[current()];
      if (row) dismiss(row.file.uri);
    },
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== scroller) return;
    const row = rows()[current()];
    if (chordOf(event) === "Mod+Enter" && props.replacing && row) void replaceInOne(row.file);
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]?.();
  };
  const onClick = (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("button")) return;
    const index = Number(target?.closest("[data-index]")?.getAttribute("data-index") ?? -1);
    if (index < 0) return;
    setCurrent(index);
    act(rows()[index], event.detail < 2);
  };
  const isVisible = () => virtual.visible().some(({ index }) => index === current());
  return (
    <div
      ref={scroller}
      class="search-results"
      role="tree"
      tabIndex="0"
      aria-label="Search results"
      aria-activedescendant={isVisible() ? rowId(current()) : undefined}
      onKeyDown={onKey}
      onClick={onClick}
      onFocus={() => current() < 0 && rows().length > 0 && setCurrent(0)}
    >
      <div class="files-rows" role="none" style={{ height: `${virtual.height()}px` }}>
        <Index each={virtual.visible()}>
          {(shown) => (
            <Row
              row={shown().row}
              index={shown().index}
              top={shown().index * virtual.rowHeight()}
              isCurrent={shown().index === current()}
              replacing={props.replacing}
            />
          )}
        </Index>
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: SearchRow;
  readonly index: number;
  readonly top: number;
  readonly isCurrent: boolean;
  readonly replacing: boolean;
}

function Row(props: RowProps) {
  const file = () => (props.row.kind === "file" ? props.row : null);
  const line = () => (props.row.kind === "line" ? props.row : null);
  return (
    <div
      id={rowId(props.index)}
      class="search-row"
      classList={{ "search-row-current": props.isCurrent, "search-row-line": line() !== null }}
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
            <Icon name={head().open ? "chevron-down" : "chevron-right"} />
            <span class="search-name">{head().name}</span>
            <span class="search-place">{head().place}</span>
            {/* For the pointer; Delete and Mod+Enter do the same. */}
            <span class="search-tools" aria-hidden="true">
              <Show when={props.replacing}>
                <IconButton
                  icon="replace"
                  label={`Replace in ${head().name}`}
                  keys={keysLabel("Mod+Enter")}
                  size="s"
                  tabIndex="-1"
                  onClick={() => void replaceInOne(head().file)}
                />
              </Show>
              <IconButton
                icon="close"
                label={`Leave out ${head().name}`}
                keys="Delete"
                size="s"
                tabIndex="-1"
                onClick={() => dismiss(head().file.uri)}
              />
            </span>
            <span>
              <Badge>{head().count}</Badge>
              <span class="unseen">{head().count === 1 ? " match" : " matches"}</span>
            </span>
          </>
        )}
      </Show>
      <Show when={line()}>
        {(found) => (
          <>
            <span class="search-text">
              <For each={piecesOf(found().line)}>
                {({ text, isMatch }) => (
                  <Show when={isMatch} fallback={text}>
                    <Show
                      when={props.replacing && !query().regex && replacement() !== ""}
                      fallback={<mark class="search-match">{text}</mark>}
                    >
                      <del class="search-old">{text}</del>
                      <ins class="search-new">{replacement()}</ins>
                    </Show>
                  </Show>
                )}
              </For>
            </span>
            <span class="search-number">{found().line.line + 1}</span>
          </>
        )}
      </Show>
    </div>
  );
}

function open(row: Extract<SearchRow, { kind: "line" }>, preview: boolean): Promise<void> {
  const { line, offset = 0, matches } = row.line;
  const [match] = matches;
  const start = { line, character: offset + (match?.from ?? 0) };
  const end = { line, character: offset + (match?.to ?? 0) };
  return openFile(row.file.uri, { preview, range: { start, end } });
}

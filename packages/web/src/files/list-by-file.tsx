import "./files.css";
import { type Accessor, createUniqueId, Index, type JSX, onMount, Show } from "solid-js";
import { chordOf } from "../commands.js";
import { Badge, Icon } from "../design/index.js";
import type { FileHead, ListedFile } from "./file-head.js";
import { createVirtualRows } from "./virtual-rows.js";

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface ListProps<File extends ListedFile, Item extends { readonly file: File }> {
  readonly label: string;
  /** What is counted: one, and several. */
  readonly words: readonly [string, string];
  /** Each file, and where it is open its items. */
  readonly rows: readonly (FileHead<File> | Item)[];
  /** The index of the row that the keys act on; -1 for none. */
  readonly current: number;
  readonly onCurrent: (index: number) => void;
  readonly onFold: (file: File) => void;
  readonly onOpen: (item: Item, preview: boolean) => void;
  /** By chord: what else can be done with a row. The point is below the row. */
  readonly keys?: Readonly<Record<string, (row: FileHead<File> | Item, at: Point) => void>>;
  readonly onMenu?: (row: FileHead<File> | Item, at: Point) => void;
  /** What an item shows, and a file before its count. */
  readonly children: (row: Accessor<FileHead<File> | Item>) => JSX.Element;
}

/** What was found, by file, with keys and pointer. Only the rows that can be seen are in the page. */
export function ListByFile<File extends ListedFile, Item extends { readonly file: File }>(
  props: ListProps<File, Item>,
) {
  const id = createUniqueId();
  const rowId = (index: number) => `${id}-${index}`;
  let scroller: HTMLDivElement | undefined;
  const rows = () => props.rows;
  const current = () => Math.min(props.current, rows().length - 1);
  const virtual = createVirtualRows(rows);
  onMount(() => scroller && virtual.attach(scroller));

  const go = (index: number) => {
    const to = Math.max(0, Math.min(rows().length - 1, index));
    props.onCurrent(to);
    virtual.reveal(to);
  };
  const act = (row: FileHead<File> | Item | undefined, preview: boolean) => {
    if (!row) return;
    if (isHead(row)) props.onFold(row.file);
    else props.onOpen(row, preview);
  };
  const close = () => {
    const row = rows()[current()];
    if (!row) return;
    if (!isHead(row)) go(rows().findIndex(({ file }) => file === row.file));
    else if (row.open) props.onFold(row.file);
  };
  const open = () => {
    const row = rows()[current()];
    if (!row || !isHead(row)) return;
    if (row.open) go(current() + 1);
    else props.onFold(row.file);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => go(current() + 1),
    ArrowUp: () => go(current() - 1),
    Home: () => go(0),
    End: () => go(rows().length - 1),
    PageDown: () => go(current() + virtual.page()),
    PageUp: () => go(current() - virtual.page()),
    ArrowRight: open,
    ArrowLeft: close,
    Enter: () => act(rows()[current()], false),
    " ": () => act(rows()[current()], true),
  };
  const belowCurrent = (): Point => {
    const box = document.getElementById(rowId(current()))?.getBoundingClientRect();
    return box ? { x: box.left + 32, y: box.bottom } : { x: 0, y: 0 };
  };
  const onKey = (event: KeyboardEvent) => {
    if (isOnButton(event)) return;
    const row = rows()[current()];
    const own = props.keys?.[chordOf(event)];
    const known = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (own && row) own(row, belowCurrent());
    else if (known) known();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  /** The row under the pointer becomes the current one. */
  const pointAt = (event: MouseEvent): FileHead<File> | Item | undefined => {
    const target = event.target instanceof Element ? event.target.closest("[data-index]") : null;
    if (!target || isOnButton(event)) return undefined;
    const index = Number(target.getAttribute("data-index"));
    props.onCurrent(index);
    return rows()[index];
  };
  const isVisible = () => virtual.visible().some(({ index }) => index === current());
  return (
    <div
      ref={scroller}
      class="by-file"
      role="tree"
      tabIndex="0"
      data-region-focus
      aria-label={props.label}
      aria-activedescendant={isVisible() ? rowId(current()) : undefined}
      onKeyDown={onKey}
      onClick={(event) => act(pointAt(event), event.detail < 2)}
      onContextMenu={(event) => {
        if (!props.onMenu) return;
        event.preventDefault();
        const row = pointAt(event);
        if (row) props.onMenu(row, { x: event.clientX, y: event.clientY });
      }}
      onFocus={() => props.current < 0 && props.onCurrent(0)}
    >
      <div class="files-rows" role="none" style={{ height: `${virtual.height()}px` }}>
        <Index each={virtual.visible()}>
          {(shown) => {
            const head = () => {
              const { row } = shown();
              return isHead(row) ? row : null;
            };
            const isCurrent = () => shown().index === current();
            return (
              <div
                id={rowId(shown().index)}
                class="by-file-row"
                classList={{ "by-file-current": isCurrent(), "by-file-item": !head() }}
                role="treeitem"
                tabIndex="-1"
                data-index={shown().index}
                aria-level={head() ? 1 : 2}
                aria-expanded={head()?.open}
                aria-selected={isCurrent()}
                style={{ transform: `translateY(${shown().index * virtual.rowHeight()}px)` }}
              >
                <Show when={head()}>{(file) => <Name file={file()} />}</Show>
                {props.children(() => shown().row)}
                <Show when={head()}>
                  {(file) => <Count of={file().count} words={props.words} />}
                </Show>
              </div>
            );
          }}
        </Index>
      </div>
    </div>
  );
}

function Name(props: { readonly file: FileHead }) {
  return (
    <>
      <Icon name={props.file.open ? "chevron-down" : "chevron-right"} class="by-file-chevron" />
      <span class="by-file-name">{props.file.name}</span>
      <span class="by-file-place">{props.file.place}</span>
    </>
  );
}

function Count(props: { readonly of: number; readonly words: readonly [string, string] }) {
  return (
    <span>
      <Badge>{props.of.toLocaleString("en")}</Badge>
      <span class="unseen"> {props.words[props.of === 1 ? 0 : 1]}</span>
    </span>
  );
}

function isHead<File extends ListedFile>(row: object): row is FileHead<File> {
  return "kind" in row && row.kind === "file";
}

/** A button in a row has its own keys and clicks. */
function isOnButton({ target }: Event): boolean {
  return target instanceof Element && target.closest("button") !== null;
}

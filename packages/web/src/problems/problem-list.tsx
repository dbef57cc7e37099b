import { createEffect, createSignal, Index, on, onMount, Show } from "solid-js";
import { chordOf, keysLabel } from "../commands.js";
import { Badge, Icon, IconButton, Menu, showProblem, showToast } from "../design/index.js";
import { createVirtualRows } from "../files/virtual-rows.js";
import { showFixes } from "../languages/actions.js";
import { state } from "../replica/state.js";
import { openFile } from "../replica/view.js";
import { focusRegion } from "../shell/regions.js";
import { type ProblemRow, problemText, sourceOf } from "./problem-rows.js";
import { SeverityIcon } from "./severity.js";

const FIX_KEYS = keysLabel("Mod+Period");
const rowId = (index: number) => `problem-row-${index}`;

interface ListProps {
  readonly rows: readonly ProblemRow[];
  readonly onFold: (uri: string) => void;
}

/** The rows by keys and pointer. Only those that can be seen are in the page. */
export function ProblemList(props: ListProps) {
  const [current, setCurrent] = createSignal(-1);
  const [menu, setMenu] = createSignal<{ x: number; y: number; row: ProblemRow } | null>(null);
  let scroller: HTMLDivElement | undefined;
  const rows = () => props.rows;
  const virtual = createVirtualRows(rows);
  onMount(() => scroller && virtual.attach(scroller));
  createEffect(on(rows, (all) => setCurrent((now) => Math.min(now, all.length - 1))));

  const go = (index: number) => {
    const to = Math.max(0, Math.min(rows().length - 1, index));
    setCurrent(to);
    virtual.reveal(to);
  };
  const act = (row: ProblemRow | undefined, preview: boolean) => {
    if (row?.kind === "file") props.onFold(row.file.uri);
    else if (row) void open(row, preview).catch(showProblem);
  };
  const fold = (wanted: "open" | "closed") => {
    const row = rows()[current()];
    if (row?.kind === "file") {
      if (row.open !== (wanted === "open")) props.onFold(row.file.uri);
      else if (wanted === "open") go(current() + 1);
    } else if (row && wanted === "closed") {
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
    Escape: () => focusRegion("middle"),
  };
  const placeOfRow = (index: number) => {
    const box = document.getElementById(rowId(index))?.getBoundingClientRect();
    return box ? { x: box.left + 32, y: box.bottom } : { x: 0, y: 0 };
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== scroller) return;
    const row = rows()[current()];
    const chord = chordOf(event);
    if (chord === "Mod+KeyC" && row) copy(row);
    else if (chord === "Mod+Period" && row?.kind === "problem") fix(row, placeOfRow(current()));
    else if ((event.key === "ContextMenu" || chord === "Shift+F10") && row) {
      setMenu({ ...placeOfRow(current()), row });
    } else if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    else keys[event.key]?.();
    event.preventDefault();
    event.stopPropagation();
  };
  const indexOf = (event: Event): number => {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("button")) return -1;
    return Number(target?.closest("[data-index]")?.getAttribute("data-index") ?? -1);
  };
  const isVisible = () => virtual.visible().some(({ index }) => index === current());
  return (
    <>
      <div
        ref={scroller}
        class="problems-list"
        role="tree"
        tabIndex="0"
        data-region-focus
        aria-label="Problems"
        aria-activedescendant={isVisible() ? rowId(current()) : undefined}
        onKeyDown={onKey}
        onClick={(event) => {
          const index = indexOf(event);
          if (index < 0) return;
          setCurrent(index);
          act(rows()[index], event.detail < 2);
        }}
        onContextMenu={(event) => {
          const index = indexOf(event);
          const row = rows()[index];
          event.preventDefault();
          if (!row) return;
          setCurrent(index);
          setMenu({ x: event.clientX, y: event.clientY, row });
        }}
        onFocus={() => current() < 0 && setCurrent(0)}
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
      <Show when={menu()} keyed>
        {({ row, x, y }) => (
          <Menu
            label="Actions"
            at={{ x, y }}
            items={[
              ...(row.kind === "problem"
                ? [{ label: "Quick fix…", keys: FIX_KEYS, run: () => fix(row, { x, y }) }]
                : []),
              {
                label: row.kind === "problem" ? "Copy message" : "Copy messages",
                icon: "copy" as const,
                run: () => copy(row),
              },
            ]}
            onClose={() => setMenu(null)}
          />
        )}
      </Show>
    </>
  );
}

interface RowProps {
  readonly row: ProblemRow;
  readonly index: number;
  readonly top: number;
  readonly isCurrent: boolean;
}

function Row(props: RowProps) {
  const file = () => (props.row.kind === "file" ? props.row : null);
  const problem = () => (props.row.kind === "problem" ? props.row : null);
  const more = () => (props.row.kind === "more" ? props.row : null);
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
            <span class="problems-place">{head().place}</span>
            <span>
              <Badge>{head().count.toLocaleString("en")}</Badge>
              <span class="unseen">{head().count === 1 ? " problem" : " problems"}</span>
            </span>
          </>
        )}
      </Show>
      <Show when={problem()}>
        {(row) => (
          <>
            <SeverityIcon severity={row().problem.severity} />
            <span class="problems-message" title={row().message}>
              {row().message}
            </span>
            <span class="problems-source">{sourceOf(row().problem)}</span>
            <span class="problems-line">
              {row().problem.range.start.line + 1}:{row().problem.range.start.character + 1}
            </span>
            {/* For the pointer; the keys do the same. */}
            <span class="problems-tools" aria-hidden="true">
              <IconButton
                icon="bulb"
                label="Quick fix"
                keys={FIX_KEYS}
                size="s"
                tabIndex="-1"
                onClick={({ currentTarget }) => {
                  const { left, bottom } = currentTarget.getBoundingClientRect();
                  fix(row(), { x: left, y: bottom });
                }}
              />
              <IconButton
                icon="copy"
                label="Copy message"
                keys={keysLabel("Mod+KeyC")}
                size="s"
                tabIndex="-1"
                onClick={() => copy(row())}
              />
            </span>
          </>
        )}
      </Show>
      <Show when={more()}>
        {(row) => (
          <span class="problems-message">
            and {row().count.toLocaleString("en")} more in this file
          </span>
        )}
      </Show>
    </div>
  );
}

function fix(
  row: Extract<ProblemRow, { kind: "problem" }>,
  at: { readonly x: number; readonly y: number },
): void {
  const { uri } = row.file;
  const { range } = row.problem;
  // Servers offer fixes for open documents only.
  const opening = state().documents[uri] ? Promise.resolve() : openFile(uri, { range });
  opening.then(() => showFixes({ uri, range, only: "quickfix" }, at)).catch(showProblem);
}

function copy({ file, ...row }: ProblemRow): void {
  const texts =
    row.kind === "problem"
      ? [problemText(file, row.problem)]
      : file.items.map((item) => problemText(file, item));
  void navigator.clipboard.writeText(texts.join("\n")).then(
    () => showToast({ text: texts.length === 1 ? "Copied the message" : "Copied the messages" }),
    () => showToast({ text: "The browser did not let it be copied.", tone: "warn" }),
  );
}

async function open(row: Exclude<ProblemRow, { kind: "file" }>, preview: boolean): Promise<void> {
  const range = row.kind === "problem" ? { range: row.problem.range } : {};
  await openFile(row.file.uri, { preview, ...range });
  focusRegion("middle");
}

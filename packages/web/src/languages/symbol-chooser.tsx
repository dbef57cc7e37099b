import { EditorSelection } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { DocumentSymbol } from "@lockstep/workbench/contract";
import { createEffect, createMemo, createSignal, For, on, onCleanup, Show } from "solid-js";
import { Dialog, Icon } from "../design/index.js";
import { shownText } from "../design/shown-text.js";
import { offsetOf } from "../editor/text-places.js";
import { Marked } from "../shell/palette.js";
import { kindMark } from "./kind-mark.js";
import { leave } from "./navigation.js";
import { type SymbolRow, symbolRows } from "./symbol-rows.js";

/** As many are shown at most; who looks for another types a letter. */
const MOST = 500;

interface ChooserProps {
  readonly view: EditorView;
  readonly symbols: readonly DocumentSymbol[];
  readonly query: string;
  readonly onClose: () => void;
}

/** The names in a text, in the palette's look. The text shows the chosen one while one moves. */
export function SymbolChooser(props: ChooserProps) {
  const { view } = props;
  const [query, setQuery] = createSignal(props.query);
  const rows = createMemo(() => symbolRows(props.symbols, query()).slice(0, MOST));
  const here = view.state.selection.main.head;
  const [chosen, setChosen] = createSignal(nearest(rows(), view, here));
  const before = { selection: view.state.selection, place: view.scrollSnapshot() };
  let isTaken = false;

  const show = (row: SymbolRow | undefined) => {
    if (!row) return;
    const start = offsetOf(view.state.doc, row.symbol.selection.start);
    const end = offsetOf(view.state.doc, row.symbol.selection.end);
    view.dispatch({
      selection: EditorSelection.range(start, end),
      effects: EditorView.scrollIntoView(start, { y: "center" }),
      userEvent: "select",
    });
  };
  const move = (to: number) => {
    const count = rows().length;
    if (count === 0) return;
    setChosen((to + count) % count);
    document.getElementById(optionId(chosen()))?.scrollIntoView({ block: "nearest" });
    show(rows()[chosen()]);
  };
  const take = (row: SymbolRow | undefined) => {
    if (!row) return;
    isTaken = true;
    view.dispatch({ selection: before.selection });
    leave();
    const start = offsetOf(view.state.doc, row.symbol.selection.start);
    view.dispatch({
      selection: EditorSelection.cursor(start),
      effects: EditorView.scrollIntoView(start, { y: "center" }),
      userEvent: "select",
    });
    props.onClose();
    queueMicrotask(() => view.focus());
  };
  createEffect(
    on(
      query,
      () => {
        setChosen(0);
        show(rows()[0]);
      },
      { defer: true },
    ),
  );
  onCleanup(() => {
    if (!isTaken) view.dispatch({ selection: before.selection, effects: before.place });
  });
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") move(chosen() + 1);
    else if (event.key === "ArrowUp") move(chosen() - 1);
    else if (event.key === "PageDown") move(Math.min(rows().length - 1, chosen() + 10));
    else if (event.key === "PageUp") move(Math.max(0, chosen() - 10));
    else if (event.key === "Enter") take(rows()[chosen()]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to symbol" bare width="l" onClose={() => props.onClose()}>
      <div class="shell-palette">
        <div class="shell-palette-field">
          <Icon name="braces" />
          <input
            class="shell-palette-input"
            type="text"
            role="combobox"
            spellcheck={false}
            autocomplete="off"
            autofocus
            placeholder="Go to a name in this file"
            aria-label="Symbol"
            aria-expanded="true"
            aria-controls="symbol-list"
            aria-activedescendant={rows().length > 0 ? optionId(chosen()) : undefined}
            value={query()}
            onInput={(event) => setQuery(event.currentTarget.value)}
            onKeyDown={onKey}
          />
        </div>
        <div id="symbol-list" class="shell-palette-list" role="listbox" aria-label="Symbols">
          <For each={rows()}>
            {(row, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
              <div
                id={optionId(index())}
                role="option"
                tabIndex="-1"
                class="shell-palette-item symbol-item"
                aria-selected={index() === chosen()}
                style={{ "--depth": row.depth }}
                onClick={() => take(row)}
              >
                {kindMark(row.symbol.kind)}
                <span class="symbol-name">
                  <Marked text={shownText(row.symbol.name)} matched={row.matched} />
                </span>
                <span class="shell-palette-aside symbol-detail">
                  {shownText(query() === "" ? row.symbol.detail : row.inside)}
                </span>
                <span class="shell-palette-aside">{row.symbol.selection.start.line + 1}</span>
              </div>
            )}
          </For>
        </div>
        <Show when={rows().length === 0}>
          <p class="shell-palette-none">
            {props.symbols.length === 0
              ? "No names are known in this file."
              : "No name has these letters."}
          </p>
        </Show>
      </div>
    </Dialog>
  );
}

const optionId = (index: number) => `symbol-${index}`;

/** The last one that begins before the cursor. */
function nearest(rows: readonly SymbolRow[], view: EditorView, at: number): number {
  const line = view.state.doc.lineAt(at).number - 1;
  const index = rows.findLastIndex(({ symbol }) => symbol.range.start.line <= line);
  return Math.max(0, index);
}

import { EditorSelection } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { DocumentSymbol } from "@lockstep/workbench/contract";
import { createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import { shownText } from "../design/shown-text.js";
import { offsetOf } from "../editor/text-places.js";
import { Chooser } from "../shell/chooser.js";
import { Marked } from "../shell/marked.js";
import { kindMark } from "./kind-mark.js";
import { leave } from "./navigation.js";
import { type SymbolRow, symbolRows } from "./symbol-rows.js";

/** As many are shown at most; who looks for another types a letter. */
const MOST = 500;

interface SymbolProps {
  readonly view: EditorView;
  readonly symbols: readonly DocumentSymbol[];
  readonly query: string;
  readonly onClose: () => void;
}

/** The names in a text, in the palette's look. The text shows the chosen one while one moves. */
export function SymbolChooser(props: SymbolProps) {
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
  const choose = (index: number) => {
    setChosen(index);
    show(rows()[index]);
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
  createEffect(on(query, () => choose(0), { defer: true }));
  onCleanup(() => {
    if (!isTaken) view.dispatch({ selection: before.selection, effects: before.place });
  });
  return (
    <Chooser
      title="Go to symbol"
      label="Symbol"
      listLabel="Symbols"
      icon="braces"
      placeholder="Go to a name in this file"
      query={query()}
      onQuery={setQuery}
      items={rows()}
      chosen={chosen()}
      onChoose={choose}
      onTake={take}
      onClose={props.onClose}
      none={
        props.symbols.length === 0
          ? "No names are known in this file."
          : "No name has these letters."
      }
    >
      {(row) => (
        <>
          <span style={{ "margin-left": `${row.depth * 16}px` }}>{kindMark(row.symbol.kind)}</span>
          <span class="symbol-name">
            <Marked text={shownText(row.symbol.name)} matched={row.matched} />
          </span>
          <span class="chooser-aside symbol-detail">
            {shownText(query() === "" ? row.symbol.detail : row.inside)}
          </span>
          <span class="chooser-aside">{row.symbol.selection.start.line + 1}</span>
        </>
      )}
    </Chooser>
  );
}

/** The last one that begins before the cursor. */
function nearest(rows: readonly SymbolRow[], view: EditorView, at: number): number {
  const line = view.state.doc.lineAt(at).number - 1;
  const index = rows.findLastIndex(({ symbol }) => symbol.range.start.line <= line);
  return Math.max(0, index);
}

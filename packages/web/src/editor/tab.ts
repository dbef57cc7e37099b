import { indentMore, insertTab } from "@codemirror/commands";
import { indentUnit } from "@codemirror/language";
import { EditorSelection } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

/** Indents the selected lines, or goes to the next step of indentation. */
export function tab(view: EditorView): boolean {
  const { state } = view;
  if (state.readOnly) return false;
  if (state.selection.ranges.some(({ empty }) => !empty)) return indentMore(view);
  const unit = state.facet(indentUnit);
  if (unit === "\t") return insertTab(view);
  view.dispatch(
    state.update(
      state.changeByRange((range) => {
        const column = range.from - state.doc.lineAt(range.from).from;
        const insert = " ".repeat(unit.length - (column % unit.length));
        return { changes: { from: range.from, insert }, range: move(range.from + insert.length) };
      }),
      { scrollIntoView: true, userEvent: "input" },
    ),
  );
  return true;
}

const move = (to: number) => EditorSelection.cursor(to);

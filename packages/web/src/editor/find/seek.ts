import { getSearchQuery } from "@codemirror/search";
import { EditorSelection } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** Characters. In a longer text it could be felt at each letter: there Enter goes to the match. */
const LONGEST = 4_000_000;
/** Pixels above and below the match. */
const MARGIN = 80;

/** Goes to the first match from the selection's start on, or else from the top, as the words are typed. */
export function seek(view: EditorView): void {
  const { state } = view;
  const query = getSearchQuery(state);
  if (!query.search || !query.valid || state.doc.length > LONGEST) return;
  const { from } = state.selection.main;
  const found = first(query.getCursor(state, from)) ?? first(query.getCursor(state, 0, from));
  if (!found) return;
  const range = EditorSelection.range(found.from, found.to);
  view.dispatch({
    selection: range,
    effects: EditorView.scrollIntoView(range, { y: "nearest", yMargin: MARGIN }),
    userEvent: "select.search",
  });
}

function first(cursor: Iterator<{ from: number; to: number }>) {
  const { done, value } = cursor.next();
  return done ? null : value;
}

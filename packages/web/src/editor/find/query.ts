import { getSearchQuery, SearchQuery, setSearchQuery } from "@codemirror/search";
import type { EditorView, ViewUpdate } from "@codemirror/view";
import { type Accessor, createSignal } from "solid-js";

export interface Query {
  readonly now: Accessor<SearchQuery>;
  readonly set: (part: Partial<Parts>) => void;
  /** Takes over what CodeMirror set by itself; true if that is another query. */
  readonly follow: (update: ViewUpdate) => boolean;
}

type Parts = Pick<SearchQuery, "search" | "replace" | "caseSensitive" | "regexp" | "wholeWord">;

/** What is looked for in a view, kept in its state and shown in the panel. */
export function createQuery(view: EditorView): Query {
  const [now, setNow] = createSignal(getSearchQuery(view.state), {
    equals: (a, b) => a.eq(b),
  });
  return {
    now,
    set: (part) => {
      const { search, replace, caseSensitive, regexp, wholeWord } = now();
      const parts = { search, replace, caseSensitive, regexp, wholeWord, ...part };
      // What is typed is meant as it stands; "\n" is an escape in expressions only.
      const query = new SearchQuery({ ...parts, literal: !parts.regexp });
      view.dispatch({ effects: setSearchQuery.of(query) });
    },
    follow: (update) => {
      const before = now();
      const next = getSearchQuery(update.state);
      if (before.eq(next)) return false;
      setNow(next);
      return true;
    },
  };
}

import type { Uri } from "@lockstep/protocol";
import { createSignal } from "solid-js";

/** 0-based lines, both included. One that ends at the start of a line does not count that line. */
export interface CurrentSelection {
  readonly uri: Uri;
  readonly first: number;
  readonly last: number;
  readonly empty: boolean;
}

const [selection, setSelection] = createSignal<CurrentSelection | null>(null, {
  equals: (a, b) =>
    a === b ||
    (a !== null &&
      b !== null &&
      a.uri === b.uri &&
      a.first === b.first &&
      a.last === b.last &&
      a.empty === b.empty),
});

/** What is selected in the document that this window shows; null while it shows none. */
export const currentSelection = selection;

/** For the editor pane alone. */
export const setCurrentSelection = (next: CurrentSelection | null): void => void setSelection(next);

import type { SelectionRange, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { Uri } from "@lockstep/protocol";
import { createSignal } from "solid-js";
import { setCurrentSelection } from "./current-selection.js";
import type { Indentation } from "./indentation.js";
import type { OpenDocument } from "./open-document.js";

/** What the status bar says of the shown document. Lines and columns count from 1. */
export interface ShownPlace {
  readonly uri: Uri;
  readonly line: number;
  readonly column: number;
  /** Characters and lines in all selections together. */
  readonly characters: number;
  readonly lines: number;
  readonly cursors: number;
  readonly indentation: Indentation | null;
}

const [place, setPlace] = createSignal<ShownPlace | null>(null);
const [view, setView] = createSignal<EditorView | null>(null);

/** Null while no document is shown. */
export const shownPlace = place;
/** The view while it shows a document. */
export const shownView = view;
export const setShownView = (next: EditorView | null): void => void setView(() => next);

/** Says anew where the person is, for the status bar and for mentions. */
export function showPlace(document: OpenDocument | null): void {
  if (!document) {
    setPlace(null);
    setCurrentSelection(null);
    return;
  }
  const { doc, selection } = document.state;
  const { main, ranges } = selection;
  const head = doc.lineAt(main.head);
  const { first, last } = linesOf(doc, main);
  setCurrentSelection({ uri: document.uri, first, last, empty: main.empty });
  setPlace({
    uri: document.uri,
    line: head.number,
    column: main.head - head.from + 1,
    characters: ranges.reduce((sum, { from, to }) => sum + to - from, 0),
    lines: ranges
      .map((range) => linesOf(doc, range))
      .reduce((sum, at) => sum + at.last - at.first + 1, 0),
    cursors: ranges.length,
    indentation: document.indentation,
  });
}

/** 0-based, both included. A range that ends at the start of a line does not count that line. */
function linesOf(doc: Text, { from, to }: SelectionRange): { first: number; last: number } {
  const first = doc.lineAt(from).number - 1;
  const end = doc.lineAt(to);
  const last = end.number - 1;
  return { first, last: to === end.from && last > first ? last - 1 : last };
}

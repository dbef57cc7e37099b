import type { ViewUpdate } from "@codemirror/view";
import { afterFrame } from "../editor/after-frame.js";
import { setCurrentSelection } from "../editor/current-selection.js";
import { SelectionReport } from "../editor/selection-report.js";
import type { CellListener, OpenCell } from "./open-cell.js";

const report = new SelectionReport();
let shown: OpenCell | null = null;

/** Where the person is, for the workbench and for mentions: a cell, or none. */
export function tellPlace(cell: OpenCell | null): void {
  if (cell === shown) return;
  shown = cell;
  report.of(cell);
  // Lines of a cell are no lines of the file, so a mention names the file as a whole.
  setCurrentSelection(cell && { uri: cell.uri, first: 0, last: 0, empty: true });
}

/** The workbench may not know, or the person came back to this window. */
export const tellPlaceAgain = (): void => {
  if (shown) report.again();
};

const tellSoon = afterFrame(() => report.changed());

/** Tells of the cell that the person is in, after each of its changes. */
export const placeListener: CellListener = {
  updated: (cell: OpenCell, { docChanged, selectionSet }: ViewUpdate) => {
    if (cell !== shown) return;
    if (docChanged) tellSoon();
    else if (selectionSet) report.changed();
  },
  sent: (cell) => {
    if (cell === shown) report.sent();
  },
};

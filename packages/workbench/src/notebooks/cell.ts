import type { CellInfo, CellRun } from "../contract/notebooks.js";
import type { SharedText } from "../texts/shared-text.js";
import { fieldOf } from "./cell-edit.js";
import type { CellLayout, Span } from "./layout.js";
import type { Edit } from "./source-edit.js";

/** A cell of an open notebook: where it stands in the JSON, and its text, which windows edit. */
export interface Cell {
  key: string;
  readonly shared: SharedText;
  /** Where it starts in the JSON. */
  from: number;
  layout: CellLayout;
  executionCount: number | null;
  run: CellRun;
  readonly subscription: Disposable;
}

export const spanOfCell = ({ from, layout }: Cell): Span => ({ from, to: from + layout.length });

export const infoOf = ({ key, layout, executionCount, run }: Cell): CellInfo => ({
  key,
  kind: layout.kind,
  executionCount: layout.kind === "code" ? executionCount : null,
  run,
});

/** Where a field's value stands in the JSON of the whole notebook. */
export function spanOfField({ from, layout }: Cell, name: string): Span | null {
  const field = fieldOf(layout, name);
  return field ? { from: from + field.from, to: from + field.to } : null;
}

/** The places after an edit inside of one value: what is after it moves, what is around it grows. */
export function movedBy(layout: CellLayout, edit: Edit): CellLayout {
  const grown = edit.insert.length - (edit.to - edit.from);
  const start = (at: number) => (at >= edit.to ? at + grown : at);
  const end = (at: number) => (at >= edit.to && at > edit.from ? at + grown : at);
  const span = ({ from, to }: Span): Span => ({ from: start(from), to: end(to) });
  return {
    ...layout,
    length: layout.length + grown,
    fields: layout.fields.map((field) => ({ ...field, ...span(field), start: start(field.start) })),
    outputs: layout.outputs.map(span),
  };
}

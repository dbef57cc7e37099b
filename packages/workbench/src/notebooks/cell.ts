import { randomBytes, randomUUID } from "node:crypto";
import type { Text } from "@codemirror/state";
import type { CellInfo, CellRun, WholeCell } from "../contract/notebooks.js";
import type { SharedText } from "../texts/shared-text.js";
import { fieldOf } from "./cell-edit.js";
import type { CellLayout, Span } from "./layout.js";
import { readAttachments, readOutputs } from "./outputs.js";
import { type Edit, sourceText } from "./source-edit.js";

/** Where a cell starts in the JSON of its notebook, and where its parts are in it. */
export interface Placed {
  readonly from: number;
  readonly layout: CellLayout;
}

/** A cell of an open notebook: where it stands in the JSON, and its text, which windows edit. */
export interface Cell extends Placed {
  key: string;
  readonly shared: SharedText;
  from: number;
  layout: CellLayout;
  executionCount: number | null;
  run: CellRun;
  readonly subscription: Disposable;
}

export const NOT_RUN: CellRun = { kind: "none" };

/** As a file has them. */
export const newId = (): string => randomBytes(4).toString("hex");
/** Not the id of any cell, nor a name that an earlier workbench gave. */
export const newKey = (): string => `~${randomUUID().slice(0, 13)}`;

export const spanOfCell = ({ from, layout }: Placed): Span => ({
  from,
  to: from + layout.length,
});

export const infoOf = ({ key, layout, executionCount, run }: Cell): CellInfo => ({
  key,
  kind: layout.kind,
  executionCount: layout.kind === "code" ? executionCount : null,
  run,
});

/** Where a field's value stands in the JSON of the whole notebook. */
function spanOfField({ from, layout }: Placed, name: string): Span | null {
  const field = fieldOf(layout, name);
  return field ? { from: from + field.from, to: from + field.to } : null;
}

/** A field's value in this JSON of the whole notebook; null for a cell that has no such field. */
export function fieldIn(json: Text, cell: Placed, name: string): string | null {
  const span = spanOfField(cell, name);
  return span && json.sliceString(span.from, span.to);
}

export function sourceIn(json: Text, cell: Placed): string {
  const raw = fieldIn(json, cell, "source");
  return raw === null ? "" : (sourceText(raw) ?? "");
}

export function countIn(json: Text, cell: Placed): number | null {
  const raw = fieldIn(json, cell, "execution_count");
  const value: unknown = raw === null ? null : JSON.parse(raw);
  return typeof value === "number" ? value : null;
}

export function outputsIn(json: Text, cell: Placed): WholeCell["outputs"] {
  const raw = cell.layout.kind === "code" ? fieldIn(json, cell, "outputs") : null;
  return raw === null ? [] : readOutputs(raw);
}

export function attachmentsIn(json: Text, cell: Placed): WholeCell["attachments"] {
  const raw = fieldIn(json, cell, "attachments");
  return raw === null ? {} : readAttachments(raw);
}

/** All of a cell, for a window that shows it. */
export function wholeIn(json: Text, cell: Cell): WholeCell {
  return {
    ...infoOf(cell),
    source: cell.shared.toString(),
    outputs: outputsIn(json, cell),
    attachments: attachmentsIn(json, cell),
  };
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

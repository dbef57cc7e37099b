import type { CellKind } from "../contract/notebooks.js";
import { WorkbenchError } from "../errors.js";
import { FIELD_DEPTH, fieldOf, OUTPUT_DEPTH, removeFields, setField } from "./cell-edit.js";
import { between, type JsonStyle, lineAt } from "./json-style.js";
import { type CellLayout, layOutCell, type Span } from "./layout.js";
import type { Edit } from "./source-edit.js";

// What the JSON of one cell becomes. Nothing in here knows of the notebook around it.

/** With this JSON as the value of a field. */
export function withField(raw: string, name: string, value: string, style: JsonStyle): string {
  return applied(raw, [setField(layOutCell(raw), name, value, style)]);
}

/** As a cell of another kind, with the fields that such a cell must have and without those it must not. */
export function ofKind(raw: string, kind: CellKind, style: JsonStyle): string {
  const more = { execution_count: "null", outputs: "[]" };
  const excess = kind === "code" ? ["attachments"] : Object.keys(more);
  const rid = applied(raw, removeFields(layOutCell(raw), excess));
  const renamed = withField(rid, "cell_type", JSON.stringify(kind), style);
  if (kind !== "code") return renamed;
  return Object.entries(more).reduce(
    (now, [name, value]) =>
      fieldOf(layOutCell(now), name) ? now : withField(now, name, value, style),
    renamed,
  );
}

/** As if it had never run. */
export function withoutOutputs(raw: string, style: JsonStyle): string {
  return withField(withField(raw, "outputs", "[]", style), "execution_count", "null", style);
}

/** What the JSON of a cell says. */
export function readCell(raw: string): Readonly<Record<string, unknown>> {
  try {
    layOutCell(raw);
    return JSON.parse(raw);
  } catch {
    throw new WorkbenchError("What was copied is not a cell.");
  }
}

/**
 * The edit that gives a cell these outputs from the one at `at` on, and where all its outputs stand then.
 * Null for a cell without that field.
 */
export function replaceOutputs(
  layout: CellLayout,
  at: number,
  raws: readonly string[],
  style: JsonStyle,
): { readonly edit: Edit; readonly outputs: readonly Span[] } | null {
  const list = fieldOf(layout, "outputs");
  if (!list) return null;
  const kept = layout.outputs[at - 1];
  const last = layout.outputs.at(-1);
  const { from, to } = kept && last ? { from: kept.to, to: last.to } : list;
  const gap = between(style, OUTPUT_DEPTH);
  const lead = kept ? gap : `[${lineAt(style, OUTPUT_DEPTH)}`;
  const tail = kept ? "" : `${lineAt(style, FIELD_DEPTH)}]`;
  const none = kept ? "" : "[]";
  const insert = raws.length === 0 ? none : lead + raws.join(gap) + tail;
  let position = from + lead.length;
  const made = raws.map((raw) => {
    const span = { from: position, to: position + raw.length };
    position = span.to + gap.length;
    return span;
  });
  return { edit: { from, to, insert }, outputs: [...layout.outputs.slice(0, at), ...made] };
}

/** These edits, in ascending order, made to a text. */
function applied(text: string, edits: readonly Edit[]): string {
  return edits
    .toReversed()
    .reduce((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), text);
}

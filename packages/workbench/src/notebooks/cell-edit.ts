import type { CellKind } from "../contract/notebooks.js";
import { between, type JsonStyle, lineAt, printEntry, printJson } from "./json-style.js";
import type { CellLayout, Field, Span } from "./layout.js";
import { type Edit, linesOf } from "./source-edit.js";

/** How deep things stand in a notebook's file. */
const CELL = 2;
const FIELD = 3;
const OUTPUT = 4;

/** A field as it counts: of several with the same name the last. */
export const fieldOf = ({ fields }: Pick<CellLayout, "fields">, name: string): Field | undefined =>
  fields.findLast((field) => field.name === name);

/** Gives a field of a cell this JSON; one that is new goes where the alphabet has it, as Jupyter does. */
export function setField(cell: CellLayout, name: string, raw: string, style: JsonStyle): Edit {
  const there = fieldOf(cell, name);
  if (there) return { from: there.from, to: there.to, insert: raw };
  const entry = printEntry(name, raw, style);
  const next = cell.fields.find((field) => field.name > name);
  const gap = between(style, FIELD);
  if (next) return { from: next.start, to: next.start, insert: entry + gap };
  const last = cell.fields.at(-1);
  if (last) return { from: last.to, to: last.to, insert: gap + entry };
  const insert = `{${lineAt(style, FIELD)}${entry}${lineAt(style, CELL)}}`;
  return { from: 0, to: cell.length, insert };
}

/** Takes these fields of a cell away, from the last to the first. */
export function removeFields(cell: CellLayout, names: readonly string[]): Edit[] {
  const kept = cell.fields.filter(({ name }) => !names.includes(name));
  return cell.fields.flatMap((field, index): Edit[] => {
    if (!names.includes(field.name)) return [];
    // With the comma after it; what comes after the last that stays, with the comma before it.
    const next = cell.fields[index + 1];
    const last = kept.at(-1);
    const isTail = !last || last.start < field.start;
    if (!isTail && next) return [{ from: field.start, to: next.start, insert: "" }];
    const before = cell.fields[index - 1];
    return [{ from: before ? before.to : field.start, to: field.to, insert: "" }];
  });
}

/** Puts one more into a list, before the item at `index`. The list's brackets are at both ends of `list`. */
export function insertItem(
  list: Span,
  items: readonly Span[],
  index: number,
  raw: string,
  { style, depth }: { readonly style: JsonStyle; readonly depth: number },
): Edit {
  const next = items[index];
  if (next) return { from: next.from, to: next.from, insert: raw + between(style, depth) };
  const last = items.at(-1);
  if (last) return { from: last.to, to: last.to, insert: between(style, depth) + raw };
  const insert = `[${lineAt(style, depth)}${raw}${lineAt(style, depth - 1)}]`;
  return { from: list.from, to: list.to, insert };
}

export function removeItem(list: Span, items: readonly Span[], index: number): Edit {
  const [before, item, after] = [items[index - 1], items[index], items[index + 1]];
  if (!item) throw new RangeError("There is no such item");
  if (after) return { from: item.from, to: after.from, insert: "" };
  if (before) return { from: before.to, to: item.to, insert: "" };
  return { from: list.from, to: list.to, insert: "[]" };
}

export const CELL_DEPTH = CELL;
export const FIELD_DEPTH = FIELD;
export const OUTPUT_DEPTH = OUTPUT;

export interface NewCell {
  readonly kind: CellKind;
  readonly source: string;
  /** Null in files whose cells have none. */
  readonly id: string | null;
}

/** A cell as Jupyter would write it. */
export function printCell({ kind, source, id }: NewCell, style: JsonStyle): string {
  const code = kind === "code" ? { execution_count: null } : {};
  const cell = {
    cell_type: kind,
    ...code,
    ...(id === null ? {} : { id }),
    metadata: {},
    ...(kind === "code" ? { outputs: [] } : {}),
    source: linesOf(source),
  };
  return printJson(cell, style, CELL);
}

import { type Node, type ParseError, parseTree } from "jsonc-parser";
import type { CellKind } from "../contract/notebooks.js";
import { type JsonStyle, styleOf } from "./json-style.js";

/** From a character up to another, which is not in it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A field of a cell: its value, and all of it from its name on. */
export interface Field extends Span {
  readonly start: number;
  readonly name: string;
}

/** Where the parts of a cell stand, counted from the cell's own start. */
export interface CellLayout {
  readonly length: number;
  readonly kind: CellKind;
  /** As the file has it; null where it has none. */
  readonly id: string | null;
  /** In the order of the file. */
  readonly fields: readonly Field[];
  /** Of the field "outputs". */
  readonly outputs: readonly Span[];
}

/** What there is to know of a notebook besides its cells. */
export interface NotebookLayout {
  readonly style: JsonStyle;
  /** The list of cells, brackets included. */
  readonly list: Span;
  readonly cells: readonly (CellLayout & { readonly from: number })[];
  /** Cells have ids, so a new one gets one. */
  readonly hasIds: boolean;
  /** What its code is written in, such as "python". */
  readonly language: string;
  /** The kernel that it was made with. */
  readonly kernel: { readonly name: string; readonly displayName: string } | null;
}

/** Why a text is not a notebook that can be shown as cells; a sentence for its reader. */
export class NotANotebook extends Error {
  override readonly name = "NotANotebook";
}

/** Where everything is in the JSON of a notebook. Throws {@link NotANotebook}. */
export function layOut(text: string): NotebookLayout {
  if (text.trim() === "")
    throw new NotANotebook("This file is empty, so it is not a notebook yet.");
  const root = parsed(text);
  const fields = members(root);
  checkVersion(fields);
  const list = fields.get("cells");
  if (list?.type !== "array") throw new NotANotebook(odd("has no list of cells"));
  const cells = (list.children ?? []).map((node, index) => ({
    from: node.offset,
    ...cellLayout(node, index),
  }));
  const metadata = members(fields.get("metadata"));
  const spec = members(metadata.get("kernelspec"));
  const name = textOf(spec.get("name"));
  return {
    style: styleOf((from, to) => text.slice(from, to), root),
    list: spanOf(list),
    cells,
    hasIds: Number(fields.get("nbformat_minor")?.value ?? 0) >= 5,
    language:
      textOf(members(metadata.get("language_info")).get("name")) ??
      textOf(spec.get("language")) ??
      "python",
    kernel: name ? { name, displayName: textOf(spec.get("display_name")) ?? name } : null,
  };
}

/** The parts of one cell, whose JSON this is. */
export function layOutCell(text: string): CellLayout {
  return cellLayout(parsed(text), 0);
}

function parsed(text: string): Node {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { disallowComments: true });
  } catch {
    throw new NotANotebook(odd("is nested too deeply"));
  }
  const [error] = errors;
  if (error) {
    const line = text.slice(0, error.offset).split("\n").length;
    throw new NotANotebook(
      `This notebook is shown as text, because line ${line} is not valid JSON. Repair it to see its cells.`,
    );
  }
  if (root?.type !== "object") throw new NotANotebook(odd("is not a JSON object"));
  return root;
}

const odd = (what: string): string =>
  `This notebook is shown as text, because it ${what}. Repair it to see its cells.`;

function checkVersion(fields: ReadonlyMap<string, Node>): void {
  const version: unknown = fields.get("nbformat")?.value;
  if (version === 4) return;
  if (typeof version !== "number") throw new NotANotebook(odd("does not say its format"));
  throw new NotANotebook(
    version < 4
      ? `This notebook is shown as text, because it has the old format ${version}. “jupyter nbconvert --to notebook --nbformat 4 --inplace” makes it a newer one.`
      : `This notebook is shown as text, because its format ${version} is newer than this editor knows.`,
  );
}

function cellLayout(node: Node, index: number): CellLayout {
  const fault = (what: string) => new NotANotebook(odd(`has a cell (${index + 1}) ${what}`));
  if (node.type !== "object") throw fault("that is not an object");
  const found = members(node);
  const kind = textOf(found.get("cell_type"));
  if (kind !== "code" && kind !== "markdown" && kind !== "raw") throw fault("of an unknown kind");
  const source = found.get("source");
  if (source && !isSource(source)) throw fault("whose source is not text");
  const outputs = found.get("outputs");
  if (outputs && outputs.type !== "array") throw fault("whose outputs are not a list");
  const start = node.offset;
  return {
    length: node.length,
    kind,
    id: textOf(found.get("id")),
    fields: (node.children ?? []).flatMap((field) => {
      const [name, value] = field.children ?? [];
      if (!name || !value) return [];
      const { from, to } = spanOf(value, start);
      return { name: String(name.value), start: name.offset - start, from, to };
    }),
    outputs: (outputs?.children ?? []).map((output) => spanOf(output, start)),
  };
}

const isSource = ({ type, children }: Node): boolean =>
  type === "string" ||
  (type === "array" && (children ?? []).every((line) => line.type === "string"));

const spanOf = ({ offset, length }: Node, start = 0): Span => ({
  from: offset - start,
  to: offset - start + length,
});

/** By name; of several with the same one the last counts, as everywhere in JSON. */
function members(node: Node | undefined): ReadonlyMap<string, Node> {
  const fields = node?.type === "object" ? (node.children ?? []) : [];
  return new Map(
    fields.flatMap(({ children: [name, value] = [] }) =>
      name && value ? [[String(name.value), value] as const] : [],
    ),
  );
}

const textOf = (node: Node | undefined): string | null =>
  node?.type === "string" ? String(node.value) : null;

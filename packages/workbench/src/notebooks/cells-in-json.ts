import type { Text } from "@codemirror/state";
import type { OpenDocument } from "../documents/documents.js";
import { type Cell, countIn, movedBy, spanOfCell } from "./cell.js";
import { CELL_DEPTH, FIELD_DEPTH, fieldOf, insertItem, removeItem } from "./cell-edit.js";
import { replaceOutputs, withField } from "./cell-json.js";
import { JUPYTER, printJson } from "./json-style.js";
import { layOutCell, type NotebookLayout } from "./layout.js";
import { type Edit, editedSource, leastEdit, linesOf } from "./source-edit.js";

/** What there is to know of a notebook besides its cells. */
export type Frame = Omit<NotebookLayout, "cells">;

/** Of a JSON that has not been read yet. */
const NO_FRAME: Frame = {
  style: JUPYTER,
  list: { from: 0, to: 0 },
  hasIds: true,
  language: "python",
  kernel: null,
};

/**
 * The cells of a notebook as places in its document's JSON. What is done to a cell is a small edit of
 * that JSON, and the places of all the others move with it. It tells nobody, and asks nobody whether the
 * document may be edited.
 */
export class CellsInJson {
  readonly #document: OpenDocument;
  #frame: Frame = NO_FRAME;
  #cells: Cell[] = [];
  /** The JSON that the places are meant in. */
  #text: Text;
  #isWriting = false;

  constructor(document: OpenDocument) {
    this.#document = document;
    this.#text = document.shared.text;
  }

  get frame(): Frame {
    return this.#frame;
  }

  get cells(): readonly Cell[] {
    return this.#cells;
  }

  get keys(): readonly string[] {
    return this.#cells.map(({ key }) => key);
  }

  get text(): Text {
    return this.#text;
  }

  /** The document changes because a cell was changed here. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Null if there is none of that key any more. */
  find(key: string): { readonly index: number; readonly cell: Cell } | null {
    const index = this.#cells.findIndex((cell) => cell.key === key);
    const cell = this.#cells[index];
    return cell ? { index, cell } : null;
  }

  /** The JSON of a cell. */
  jsonOf(cell: Cell): string {
    const { from, to } = spanOfCell(cell);
    return this.#text.sliceString(from, to);
  }

  /** Somebody else has written the JSON: its cells are to be found, and {@link add}ed in their order. */
  restart(frame: Frame, text: Text): void {
    this.#frame = frame;
    this.#text = text;
    this.#cells = [];
  }

  forget(): void {
    this.#cells = [];
  }

  add(cell: Cell): void {
    this.#cells.push(cell);
  }

  /** Writes a cell before the one at `index`; `make` is told where it stands. */
  insert(index: number, raw: string, make: (from: number) => Cell): Cell {
    const { style, list } = this.#frame;
    const at = Math.min(index, this.#cells.length);
    const depth = { style, depth: CELL_DEPTH };
    const edit = insertItem(list, this.#cells.map(spanOfCell), at, raw, depth);
    this.#write([edit]);
    this.#shift(edit);
    const cell = make(edit.from + edit.insert.indexOf(raw));
    this.#cells.splice(at, 0, cell);
    return cell;
  }

  remove(index: number): void {
    const edit = removeItem(this.#frame.list, this.#cells.map(spanOfCell), index);
    this.#write([edit]);
    this.#cells.splice(index, 1);
    this.#shift(edit);
  }

  /** Whether there was anything to be moved. */
  move(index: number, wanted: number): boolean {
    const { list, style } = this.#frame;
    const to = Math.min(wanted, this.#cells.length - 1);
    const cell = this.#cells[index];
    if (!cell || to === index) return false;
    const spans = this.#cells.map(spanOfCell);
    const raw = this.jsonOf(cell);
    const out = removeItem(list, spans, index);
    const depth = { style, depth: CELL_DEPTH };
    const put = insertItem(list, spans, to > index ? to + 1 : to, raw, depth);
    const isOutFirst = out.from < put.from;
    const edits = isOutFirst ? [out, put] : [put, out];
    this.#write(edits);
    this.#cells.splice(index, 1);
    // The later one first: its place is meant in the text before both.
    for (const edit of edits.toReversed()) this.#shift(edit);
    const gone = isOutFirst ? out.to - out.from : 0;
    cell.from = put.from - gone + put.insert.indexOf(raw);
    this.#cells.splice(to, 0, cell);
    return true;
  }

  /** Gives a cell this JSON, in which its source is as before. */
  rewrite(cell: Cell, raw: string): void {
    this.#edit(cell, { from: 0, to: cell.layout.length, insert: raw });
    cell.layout = layOutCell(raw);
    cell.executionCount = countIn(this.#text, cell);
  }

  setField(cell: Cell, name: string, value: string): void {
    this.rewrite(cell, withField(this.jsonOf(cell), name, value, this.#frame.style));
  }

  /** From the output at `at` on the cell has these. It must have the field. */
  setOutputs(cell: Cell, at: number, raws: readonly string[]): void {
    const made = replaceOutputs(cell.layout, at, raws, this.#frame.style);
    if (!made) return;
    const layout = movedBy(cell.layout, made.edit);
    this.#edit(cell, made.edit);
    cell.layout = { ...layout, outputs: made.outputs };
  }

  /** The cell's text was edited so, in ascending order, and the JSON follows it. */
  editSource(cell: Cell, edits: readonly Edit[]): void {
    const { style } = this.#frame;
    const field = fieldOf(cell.layout, "source");
    if (!field) {
      const lines = linesOf(cell.shared.toString());
      this.setField(cell, "source", printJson(lines, style, FIELD_DEPTH));
      return;
    }
    const { from, to } = field;
    const before = this.#text.sliceString(cell.from + from, cell.from + to);
    this.#edit(cell, { from, to, insert: editedSource(before, edits, style) });
  }

  /** An edit of a cell, in places of that cell. Only what differs is written. */
  #edit(cell: Cell, { from, to, insert }: Edit): void {
    const least = leastEdit(this.#text.sliceString(cell.from + from, cell.from + to), insert);
    if (!least) return;
    const edit = moved(least, from);
    const placed = moved(edit, cell.from);
    this.#write([placed]);
    cell.layout = movedBy(cell.layout, edit);
    this.#shift(placed);
  }

  /** Makes edits of the JSON, in ascending order. */
  #write(edits: readonly Edit[]): void {
    this.#isWriting = true;
    try {
      this.#document.edit([...edits], "notebook");
    } finally {
      this.#isWriting = false;
      this.#text = this.#document.shared.text;
    }
  }

  /** The cells after an edit, and the end of their list, have moved. */
  #shift({ from, to, insert }: Edit): void {
    const grown = insert.length - (to - from);
    for (const cell of this.#cells) if (cell.from >= to) cell.from += grown;
    const { list } = this.#frame;
    this.#frame = { ...this.#frame, list: { from: list.from, to: list.to + grown } };
  }
}

const moved = ({ from, to, insert }: Edit, by: number): Edit => ({
  from: from + by,
  to: to + by,
  insert,
});

import { randomBytes, randomUUID } from "node:crypto";
import { type ChangeSet, Text } from "@codemirror/state";
import type { Uri } from "@lockstep/protocol";
import type { CellOutput } from "../contract/kernels.js";
import type { TextPosition } from "../contract/languages.js";
import type { CellKind, CellRun, NotebookChange, WholeCell } from "../contract/notebooks.js";
import { LARGEST_FILE } from "../documents/disk-file.js";
import type { OpenDocument } from "../documents/documents.js";
import { diffTexts } from "../documents/text-diff.js";
import { WorkbenchError } from "../errors.js";
import { SharedText, type TextChange } from "../texts/shared-text.js";
import type { SharedTexts } from "../texts/shared-texts.js";
import { type Cell, infoOf, movedBy, spanOfCell, spanOfField } from "./cell.js";
import {
  CELL_DEPTH,
  FIELD_DEPTH,
  fieldOf,
  insertItem,
  OUTPUT_DEPTH,
  printCell,
  removeFields,
  removeItem,
  setField,
} from "./cell-edit.js";
import { between, JUPYTER, lineAt, printJson } from "./json-style.js";
import {
  type CellLayout,
  layOut,
  layOutCell,
  NotANotebook,
  type NotebookLayout,
  type Span,
} from "./layout.js";
import { matchCells } from "./match-cells.js";
import { readAttachments, readOutputs, shownOutput, writtenOutput } from "./outputs.js";
import { type Edit, editedSource, leastEdit, linesOf, sourceText } from "./source-edit.js";
import { type Step, UndoStack } from "./undo-stack.js";

/** Whoever changes the JSON by typing into it does so for a while; it is looked at in the pauses. */
const PAUSE_MS = 150;
/** Names of those that change a document as a whole. */
const AT_ONCE: ReadonlySet<string> = new Set(["disk", "revert", "review", "workbench", "save"]);
/** Characters. A little under what can be opened, so that what was saved can be opened again. */
const LARGEST = LARGEST_FILE - 2 * 1024 * 1024;
const ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** The part of what there is to know that is not in the cells. */
export type Outline = Pick<NotebookLayout, "language" | "kernel">;

/**
 * A notebook as cells. The document's JSON is all there is: a cell is a place in it, and each edit of a
 * cell is a small edit of the JSON, so that dirt, journal, save, clash and merge are the document's own.
 * When the JSON changes underneath, the cells are found in it again.
 */
export class OpenNotebook {
  readonly document: OpenDocument;
  readonly #texts: SharedTexts;
  readonly #tell: (changes: readonly NotebookChange[]) => void;
  readonly #undo = new UndoStack((step) => this.#do(step));
  #uri: Uri;
  #layout: Omit<NotebookLayout, "cells"> | null = null;
  #cells: Cell[] = [];
  /** The JSON that the cells' places are meant in. */
  #text: Text;
  #problem: string | null = null;
  /** It writes into the JSON itself. */
  #writing = false;
  /** The cells are made what the JSON has. */
  #following = false;
  #stale: { readonly by: string } | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** Some window knows the cells by their keys. */
  #known = false;

  constructor(
    document: OpenDocument,
    texts: SharedTexts,
    tell: (changes: readonly NotebookChange[]) => void,
  ) {
    this.document = document;
    this.#uri = document.uri;
    this.#texts = texts;
    this.#tell = tell;
    this.#text = document.shared.text;
    this.#look("disk");
  }

  get uri(): Uri {
    return this.#uri;
  }

  /** Why it cannot be shown as cells, as a sentence; null if it can. */
  get problem(): string | null {
    this.#fresh();
    return this.#problem;
  }

  get isEmpty(): boolean {
    return (
      this.document.shared.text.length < 1_000 && this.document.shared.toString().trim() === ""
    );
  }

  get outline(): Outline {
    return this.#layout ?? { language: "python", kernel: null };
  }

  get keys(): readonly string[] {
    return this.#cells.map(({ key }) => key);
  }

  /** All cells, for a window that shows them. */
  get whole(): readonly WholeCell[] {
    this.#fresh();
    this.#known = true;
    return this.#cells.map((cell) => this.#whole(cell));
  }

  /** Null if there is none of that name any more. */
  find(key: string): { readonly index: number; readonly cell: Cell } | null {
    const index = this.#cells.findIndex((cell) => cell.key === key);
    const cell = this.#cells[index];
    return cell ? { index, cell } : null;
  }

  /** The key of the cell that a place of the file is in; null if it is in none. */
  cellAt({ line, character }: TextPosition): string | null {
    const { text } = this.document.shared;
    if (line >= text.lines) return null;
    const at = text.line(line + 1).from + character;
    const isHere = ({ from, to }: Span) => from <= at && at < to;
    return this.#cells.find((cell) => isHere(spanOfCell(cell)))?.key ?? null;
  }

  /** A window knows the cells by these names from the workbench that was here before. */
  adopt(keys: readonly string[]): void {
    const fits =
      !this.#known &&
      keys.length === this.#cells.length &&
      new Set(keys).size === keys.length &&
      this.#cells.every(({ key, layout }, index) => key !== layout.id || key === keys[index]);
    if (!fits) return;
    this.#cells.forEach((cell, index) => {
      this.#texts.remove(this.#nameOf(cell));
      cell.key = keys[index] ?? cell.key;
    });
    for (const cell of this.#cells) this.#share(cell);
  }

  /** The document's text has changed. */
  changed({ by }: TextChange): void {
    if (this.#writing) return;
    this.#stale = { by };
    clearTimeout(this.#timer);
    if (AT_ONCE.has(by)) this.#fresh();
    else this.#timer = setTimeout(() => this.#fresh(), PAUSE_MS);
  }

  /** Its document has another name now. */
  renamed(): void {
    for (const cell of this.#cells) this.#texts.remove(this.#nameOf(cell));
    this.#uri = this.document.uri;
    for (const cell of this.#cells) this.#share(cell);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const cell of this.#cells) this.#drop(cell);
    this.#cells = [];
  }

  /** Makes an empty document a notebook. */
  create(): void {
    if (!this.isEmpty) throw new WorkbenchError("This file is not empty: it stays as it is.");
    const cell = printCell({ kind: "code", source: "", id: newId() }, JUPYTER);
    const rest = printJson({ metadata: {}, nbformat: 4, nbformat_minor: 5 }, JUPYTER, 0);
    const text = `{${lineAt(JUPYTER, 1)}"cells": [${lineAt(JUPYTER, 2)}${cell}${lineAt(JUPYTER, 1)}],${rest.slice(1)}\n`;
    const { length } = this.document.shared.text;
    this.document.edit({ from: 0, to: length, insert: text }, "workbench");
  }

  insert(at: number, kind: CellKind, source: string): string {
    const { style, hasIds } = this.#ready();
    const id = hasIds ? newId() : null;
    const key = id ?? newKey();
    const raw = printCell({ kind, source, id }, style);
    this.#undo.take([{ kind: "insert", index: at, key, raw }]);
    return key;
  }

  remove(keys: readonly string[]): void {
    this.#ready();
    this.#undo.take(keys.map((key) => ({ kind: "remove", key })));
  }

  /** The JSON of these cells. */
  copy(keys: readonly string[]): readonly string[] {
    this.#ready();
    return keys.map((key) => this.#raw(spanOfCell(this.#at(key).cell)));
  }

  /** New cells of the JSON of others, before the cell at `at`. */
  paste(at: number, raws: readonly string[]): readonly string[] {
    const { style, hasIds } = this.#ready();
    const steps = raws.map((raw, index) => {
      const { id: _, ...cell } = cellIn(raw);
      const id = hasIds ? newId() : null;
      const fresh = printJson(id === null ? cell : { ...cell, id }, style, CELL_DEPTH);
      return { kind: "insert", index: at + index, key: id ?? newKey(), raw: fresh } as const;
    });
    this.#undo.take(steps);
    return steps.map(({ key }) => key);
  }

  move(key: string, to: number): void {
    this.#ready();
    this.#need(key);
    this.#undo.take([{ kind: "move", key, to }]);
  }

  setKind(key: string, kind: CellKind): void {
    const cell = this.#need(key);
    if (cell.layout.kind === kind) return;
    const type = JSON.stringify(kind);
    const more = { execution_count: "null", outputs: "[]" };
    const raw = this.#revised(cell, [
      (layout) => removeFields(layout, kind === "code" ? ["attachments"] : Object.keys(more)),
      (layout, style) => [setField(layout, "cell_type", type, style)],
      ...Object.entries(kind === "code" ? more : {}).map(
        ([name, value]): Revision =>
          (layout, style) =>
            fieldOf(layout, name) ? [] : [setField(layout, name, value, style)],
      ),
    ]);
    this.#undo.take([{ kind: "become", key, raw }]);
  }

  /** What comes after the character at `at` becomes a cell of its own below. */
  split(key: string, at: number): string {
    const { style, hasIds } = this.#ready();
    const { index, cell } = this.#at(key);
    const text = cell.shared.toString();
    const id = hasIds ? newId() : null;
    const newcomer = id ?? newKey();
    // The line end at which it is split belongs to neither.
    const [head, tail] = [text.slice(0, at).replace(/\n$/, ""), text.slice(at).replace(/^\n/, "")];
    const raw = printCell({ kind: cell.layout.kind, source: tail, id }, style);
    this.#undo.take([
      { kind: "source", key, text: head },
      { kind: "insert", index: index + 1, key: newcomer, raw },
    ]);
    return newcomer;
  }

  /** Takes the cell below into this one. */
  merge(key: string): void {
    this.#ready();
    const { index, cell } = this.#at(key);
    const below = this.#cells[index + 1];
    if (!below) throw new WorkbenchError("There is no cell below to merge with.");
    const texts = [cell.shared.toString(), below.shared.toString()].filter((text) => text !== "");
    this.#undo.take([
      { kind: "source", key, text: texts.join("\n") },
      { kind: "remove", key: below.key },
    ]);
  }

  /** Of all cells without keys. */
  clearOutputs(keys: readonly string[] = this.keys): void {
    this.#ready();
    const steps = keys.flatMap((key): Step[] => {
      const cell = this.find(key)?.cell;
      const isClear = cell?.layout.outputs.length === 0 && cell.executionCount === null;
      if (cell?.layout.kind !== "code" || isClear) return [];
      const raw = this.#revised(cell, [
        (layout, style) => [setField(layout, "outputs", "[]", style)],
        (layout, style) => [setField(layout, "execution_count", "null", style)],
      ]);
      return [{ kind: "become", key, raw }];
    });
    this.#undo.take(steps);
    for (const key of keys)
      if (this.find(key)?.cell.run.kind === "ended") this.setRun(key, NOT_RUN);
  }

  /** Takes back the last of these; false if there is none. */
  undo(): boolean {
    this.#ready();
    return this.#undo.undo();
  }

  redo(): boolean {
    this.#ready();
    return this.#undo.redo();
  }

  /** What a run has left: from the output at `from` on, these. Does nothing for a cell that is gone. */
  setOutputs(key: string, from: number, outputs: readonly CellOutput[]): void {
    const cell = this.find(key)?.cell;
    if (cell?.layout.kind !== "code" || this.#whyNot() !== null) return;
    const { style } = this.#ready();
    if (!fieldOf(cell.layout, "outputs")) {
      this.#rewrite(
        cell,
        this.#revised(cell, [(layout) => [setField(layout, "outputs", "[]", style)]]),
      );
    }
    const at = Math.min(from, cell.layout.outputs.length);
    const print = (output: CellOutput) => printJson(writtenOutput(output), style, OUTPUT_DEPTH);
    const raws = outputs.map(print);
    const gone = cell.layout.outputs.slice(at).reduce((sum, each) => sum + each.to - each.from, 0);
    const come = raws.reduce((sum, { length }) => sum + length, 0);
    const fits = this.#text.length - gone + come <= LARGEST;
    this.#writeOutputs(cell, at, fits ? raws : [print(TOO_MUCH)]);
    const shown = (fits ? outputs : [TOO_MUCH]).map(shownOutput);
    this.#tell([{ kind: "outputs", key, from: at, outputs: shown }]);
  }

  setExecutionCount(key: string, count: number | null): void {
    const cell = this.find(key)?.cell;
    if (cell?.layout.kind !== "code" || this.#whyNot() !== null) return;
    if (cell.executionCount === count && fieldOf(cell.layout, "execution_count")) return;
    const { style } = this.#ready();
    const raw = JSON.stringify(count);
    this.#rewrite(
      cell,
      this.#revised(cell, [(layout) => [setField(layout, "execution_count", raw, style)]]),
    );
  }

  setRun(key: string, run: CellRun): void {
    const cell = this.find(key)?.cell;
    if (!cell) return;
    cell.run = run;
    this.#tell([{ kind: "cell", cell: infoOf(cell) }]);
  }

  /** Takes the JSON's word for what the cells are, unless that is known already. */
  #fresh(): void {
    if (this.#stale) this.#look(this.#stale.by);
  }

  #whyNot(): string | null {
    this.#fresh();
    if (this.document.readOnly !== null) return this.document.readOnly;
    if (this.#problem !== null) return this.#problem;
    const tooLarge = this.document.shared.text.length > LARGEST;
    return tooLarge ? "The notebook is too large to be edited: clear some outputs." : null;
  }

  #ready(): Omit<NotebookLayout, "cells"> {
    const why = this.#whyNot();
    if (why !== null) throw new WorkbenchError(why);
    if (!this.#layout) throw new WorkbenchError("This notebook cannot be shown as cells.");
    return this.#layout;
  }

  #at(key: string): { readonly index: number; readonly cell: Cell } {
    const found = this.find(key);
    if (!found) throw new WorkbenchError("This cell is not there any more.");
    return found;
  }

  #need(key: string): Cell {
    this.#ready();
    return this.#at(key).cell;
  }

  #raw({ from, to }: Span): string {
    return this.#text.sliceString(from, to);
  }

  // From here on: the steps that are done and undone.

  /** Answers what takes it back; nothing if there is nothing to be done. */
  #do(step: Step): Step | null {
    if (step.kind === "insert") return this.#insert(step.index, step.key, step.raw);
    const found = this.find(step.key);
    if (!found) return null;
    const { index, cell } = found;
    if (step.kind === "move") return this.#move(index, step.to);
    if (step.kind === "remove") {
      const raw = this.#raw(spanOfCell(cell));
      this.#remove(index);
      return { kind: "insert", index, key: step.key, raw };
    }
    if (step.kind === "source") {
      const text = cell.shared.toString();
      const edit = leastEdit(text, step.text);
      if (edit) cell.shared.edit(edit, "notebook");
      return { kind: "source", key: step.key, text };
    }
    const raw = this.#raw(spanOfCell(cell));
    const { from, to } = spanOfField(cell, "source") ?? { from: 0, to: 0 };
    const own = this.#raw({ from, to });
    const layout = layOutCell(step.raw);
    const kept = own && setField(layout, "source", own, this.#ready().style);
    this.#rewrite(cell, kept ? applied(step.raw, [kept]) : step.raw);
    this.#tellWhole(cell);
    return { kind: "become", key: step.key, raw };
  }

  #insert(index: number, key: string, raw: string): Step {
    const { style, list } = this.#ready();
    const at = Math.min(index, this.#cells.length);
    const depth = { style, depth: CELL_DEPTH };
    const edit = insertItem(list, this.#cells.map(spanOfCell), at, raw, depth);
    this.#write([edit]);
    this.#shift(edit);
    const from = edit.from + edit.insert.indexOf(raw);
    const cell = this.#newCell(key, from, layOutCell(raw));
    this.#cells.splice(at, 0, cell);
    this.#tell([{ kind: "cells", keys: this.keys, added: [this.#whole(cell)] }]);
    return { kind: "remove", key };
  }

  #remove(index: number): void {
    const { list } = this.#ready();
    const edit = removeItem(list, this.#cells.map(spanOfCell), index);
    this.#write([edit]);
    const [gone] = this.#cells.splice(index, 1);
    if (gone) this.#drop(gone);
    this.#shift(edit);
    this.#tell([{ kind: "cells", keys: this.keys, added: [] }]);
  }

  #move(index: number, wanted: number): Step | null {
    const { list, style } = this.#ready();
    const to = Math.min(wanted, this.#cells.length - 1);
    const cell = this.#cells[index];
    if (!cell || to === index) return null;
    const spans = this.#cells.map(spanOfCell);
    const raw = this.#raw(spanOfCell(cell));
    const out = removeItem(list, spans, index);
    const depth = { style, depth: CELL_DEPTH };
    const put = insertItem(list, spans, to > index ? to + 1 : to, raw, depth);
    this.#write(out.from < put.from ? [out, put] : [put, out]);
    this.#cells.splice(index, 1);
    // The later one first: its place is meant in the text before both.
    const isBefore = out.from < put.from;
    if (isBefore) this.#shift(put);
    this.#shift(out);
    if (!isBefore) this.#shift(put);
    const gone = isBefore ? out.to - out.from : 0;
    cell.from = put.from - gone + put.insert.indexOf(raw);
    this.#cells.splice(to, 0, cell);
    this.#tell([{ kind: "cells", keys: this.keys, added: [] }]);
    return { kind: "move", key: cell.key, to: index };
  }

  // From here on: the JSON, and the places in it.

  /** Makes edits of the JSON, in ascending order. */
  #write(edits: readonly Edit[]): void {
    this.#writing = true;
    try {
      this.document.edit([...edits], "notebook");
    } finally {
      this.#writing = false;
      this.#text = this.document.shared.text;
    }
  }

  /** The cells after an edit, and the end of their list, have moved. */
  #shift({ from, to, insert }: Edit): void {
    const grown = insert.length - (to - from);
    for (const cell of this.#cells) if (cell.from >= to) cell.from += grown;
    if (!this.#layout) return;
    const { list } = this.#layout;
    this.#layout = { ...this.#layout, list: { from: list.from, to: list.to + grown } };
  }

  /** An edit inside of a value of one cell, in places of that cell. */
  #editCell(cell: Cell, edit: Edit): void {
    const { from } = cell;
    const placed = { ...edit, from: edit.from + from, to: edit.to + from };
    this.#write([placed]);
    cell.layout = movedBy(cell.layout, edit);
    this.#shift(placed);
  }

  /** The JSON of a cell after these revisions, of which each sees what the one before has made. */
  #revised(cell: Cell, revisions: readonly Revision[]): string {
    const { style } = this.#ready();
    return revisions.reduce(
      (raw, revise) => applied(raw, revise(layOutCell(raw), style)),
      this.#raw(spanOfCell(cell)),
    );
  }

  /** Gives a cell this JSON, in which its source is as before. */
  #rewrite(cell: Cell, raw: string): void {
    const edit = leastEdit(this.#raw(spanOfCell(cell)), raw);
    if (edit) {
      const placed = { ...edit, from: edit.from + cell.from, to: edit.to + cell.from };
      this.#write([placed]);
      this.#shift(placed);
    }
    cell.layout = layOutCell(raw);
    cell.executionCount = this.#countIn(cell);
  }

  #writeOutputs(cell: Cell, at: number, raws: readonly string[]): void {
    const { style } = this.#ready();
    const items = cell.layout.outputs;
    const kept = items[at - 1];
    const last = items.at(-1);
    const list = fieldOf(cell.layout, "outputs");
    if (!list) return;
    const gap = between(style, OUTPUT_DEPTH);
    const region = kept && last ? { from: kept.to, to: last.to } : { from: list.from, to: list.to };
    const lead = kept ? gap : `[${lineAt(style, OUTPUT_DEPTH)}`;
    const tail = kept ? "" : `${lineAt(style, FIELD_DEPTH)}]`;
    const body = raws.join(gap);
    const insert = raws.length === 0 ? (kept ? "" : "[]") : lead + body + tail;
    const before = this.#raw({ from: cell.from + region.from, to: cell.from + region.to });
    const least = leastEdit(before, insert);
    if (!least) return;
    const { from } = region;
    const edit = { ...least, from: least.from + from, to: least.to + from };
    const layout = movedBy({ ...cell.layout, outputs: [] }, { ...region, insert });
    this.#editCell(cell, edit);
    let position = from + lead.length;
    const made = raws.map((raw) => {
      const span = { from: position, to: position + raw.length };
      position = span.to + gap.length;
      return span;
    });
    cell.layout = { ...layout, outputs: [...items.slice(0, at), ...made] };
  }

  /** A window has changed a cell's text: the JSON follows, before any other window hears of it. */
  #typed(cell: Cell, changes: ChangeSet): void {
    if (this.#following) return;
    const { style } = this.#ready();
    const field = fieldOf(cell.layout, "source");
    if (!field) {
      const raw = printJson(linesOf(cell.shared.toString()), style, FIELD_DEPTH);
      const revision: Revision = (layout) => [setField(layout, "source", raw, style)];
      this.#rewrite(cell, this.#revised(cell, [revision]));
      return;
    }
    const edits: Edit[] = [];
    changes.iterChanges((from, to, _from, _to, inserted) => {
      edits.push({ from, to, insert: inserted.toString() });
    }, true);
    const before = this.#raw({ from: cell.from + field.from, to: cell.from + field.to });
    const least = leastEdit(before, editedSource(before, edits, style));
    if (!least) return;
    const { from } = field;
    this.#editCell(cell, { ...least, from: least.from + from, to: least.to + from });
  }

  // From here on: finding the cells in a JSON that somebody else has written.

  #look(by: string): void {
    clearTimeout(this.#timer);
    this.#stale = null;
    let changes: readonly NotebookChange[] = [];
    this.#following = true;
    try {
      changes = this.#take(layOut(this.document.shared.toString()), by);
      this.#problem = null;
    } catch (problem) {
      // A file may have anything in it; none may keep the editor from its other documents.
      this.#problem = problem instanceof NotANotebook ? problem.message : UNREADABLE;
    } finally {
      this.#following = false;
    }
    this.#tell(changes);
  }

  #take({ cells, ...layout }: NotebookLayout, by: string): NotebookChange[] {
    const old = this.#cells;
    const before = this.#text;
    const text = this.document.shared.text;
    const sources = cells.map((cell) => sourceIn(text, cell));
    const matches = matchCells(
      old.map(({ layout: { id, kind }, shared }) => ({ id, kind, source: shared.toString() })),
      cells.map(({ id, kind }, index) => ({ id, kind, source: sources[index] ?? "" })),
    );
    const kept = new Set(matches);
    old.forEach((cell, index) => {
      if (!kept.has(index)) this.#drop(cell);
    });
    this.#layout = layout;
    this.#text = text;
    const keys = this.keys;
    const added: Cell[] = [];
    const changes: NotebookChange[] = [];
    this.#cells = [];
    for (const [index, { from, ...place }] of cells.entries()) {
      const known = old[matches[index] ?? -1];
      if (!known) {
        const cell = this.#newCell(this.#keyFor(place, old), from, place);
        added.push(cell);
        this.#cells.push(cell);
        continue;
      }
      this.#cells.push(known);
      changes.push(...this.#follow(known, { from, layout: place }, before));
      const source = Text.of((sources[index] ?? "").split("\n"));
      if (!source.eq(known.shared.text))
        known.shared.edit(diffTexts(known.shared.text, source), by);
    }
    if (added.length === 0 && sameKeys(keys, this.keys)) return changes;
    const whole = added.map((cell) => this.#whole(cell));
    return [{ kind: "cells", keys: this.keys, added: whole }, ...changes];
  }

  /** A cell that is known stands elsewhere now, or has other outputs. */
  #follow(
    cell: Cell,
    { from, layout }: { readonly from: number; readonly layout: CellLayout },
    before: Text,
  ): NotebookChange[] {
    const info = JSON.stringify(infoOf(cell));
    const rawOf = (name: string, text: Text) => {
      const span = spanOfField(cell, name);
      return span ? text.sliceString(span.from, span.to) : null;
    };
    const old = { outputs: rawOf("outputs", before), attachments: rawOf("attachments", before) };
    cell.from = from;
    cell.layout = layout;
    cell.executionCount = this.#countIn(cell);
    const { key } = cell;
    const changes: NotebookChange[] = [];
    if (JSON.stringify(infoOf(cell)) !== info) changes.push({ kind: "cell", cell: infoOf(cell) });
    if (rawOf("outputs", this.#text) !== old.outputs) {
      changes.push({ kind: "outputs", key, from: 0, outputs: this.#outputsOf(cell) });
    }
    if (rawOf("attachments", this.#text) !== old.attachments) {
      changes.push({ kind: "attachments", key, attachments: this.#attachmentsOf(cell) });
    }
    return changes;
  }

  #keyFor({ id }: CellLayout, others: readonly Cell[]): string {
    const isTaken = (key: string) => [...others, ...this.#cells].some((cell) => cell.key === key);
    return id !== null && ID.test(id) && !isTaken(id) ? id : newKey();
  }

  #newCell(key: string, from: number, layout: CellLayout): Cell {
    const text = sourceIn(this.#text, { from, ...layout });
    const shared = new SharedText(text);
    const subscription = shared.subscribe(({ changes }) => this.#typed(cell, changes));
    const cell: Cell = {
      ...{ key, shared, from, layout, subscription },
      executionCount: null,
      run: NOT_RUN,
    };
    cell.executionCount = this.#countIn(cell);
    this.#share(cell);
    return cell;
  }

  #share(cell: Cell): void {
    this.#texts.add(this.#nameOf(cell), cell.shared, () => this.#whyNot());
  }

  #drop(cell: Cell): void {
    cell.subscription[Symbol.dispose]();
    this.#texts.remove(this.#nameOf(cell));
  }

  #nameOf({ key }: Cell): string {
    return `cell:${this.#uri}#${key}`;
  }

  #whole(cell: Cell): WholeCell {
    return {
      ...infoOf(cell),
      source: cell.shared.toString(),
      outputs: this.#outputsOf(cell),
      attachments: this.#attachmentsOf(cell),
    };
  }

  #tellWhole(cell: Cell): void {
    const { key } = cell;
    this.#tell([
      { kind: "cell", cell: infoOf(cell) },
      { kind: "outputs", key, from: 0, outputs: this.#outputsOf(cell) },
      { kind: "attachments", key, attachments: this.#attachmentsOf(cell) },
    ]);
  }

  #outputsOf(cell: Cell): WholeCell["outputs"] {
    const span = cell.layout.kind === "code" ? spanOfField(cell, "outputs") : null;
    return span ? readOutputs(this.#raw(span)) : [];
  }

  #attachmentsOf(cell: Cell): WholeCell["attachments"] {
    const span = spanOfField(cell, "attachments");
    return span ? readAttachments(this.#raw(span)) : {};
  }

  #countIn(cell: Cell): number | null {
    const span = spanOfField(cell, "execution_count");
    const value: unknown = span ? JSON.parse(this.#raw(span)) : null;
    return typeof value === "number" ? value : null;
  }
}

const NOT_RUN: CellRun = { kind: "none" };
const TOO_MUCH: CellOutput = {
  output_type: "stream",
  name: "stderr",
  text: "[Left out here: what does not fit into this notebook. Clear some outputs.]\n",
};
const UNREADABLE = "This notebook is shown as text, because something in its cells cannot be read.";

type Revision = (layout: CellLayout, style: NotebookLayout["style"]) => readonly Edit[];

const newId = (): string => randomBytes(4).toString("hex");
/** Not the id of any cell, nor a name that an earlier workbench gave. */
const newKey = (): string => `~${randomUUID().slice(0, 13)}`;

function sourceIn(text: Text, cell: CellLayout & { readonly from: number }): string {
  const field = fieldOf(cell, "source");
  if (!field) return "";
  return sourceText(text.sliceString(cell.from + field.from, cell.from + field.to)) ?? "";
}

/** What the JSON of a cell says. */
function cellIn(raw: string): Readonly<Record<string, unknown>> {
  try {
    layOutCell(raw);
    return JSON.parse(raw);
  } catch {
    throw new WorkbenchError("What was copied is not a cell.");
  }
}

/** These edits, in ascending order, made to a text. */
function applied(text: string, edits: readonly Edit[]): string {
  return edits
    .toReversed()
    .reduce((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), text);
}

const sameKeys = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, index) => key === b[index]);

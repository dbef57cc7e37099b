import type { ChangeSet } from "@codemirror/state";
import type { Uri } from "@lockstep/protocol";
import type { CellOutput } from "../contract/kernels.js";
import type { TextPosition } from "../contract/languages.js";
import type { CellKind, CellRun, NotebookChange, WholeCell } from "../contract/notebooks.js";
import { LARGEST_FILE } from "../documents/disk-file.js";
import type { OpenDocument } from "../documents/documents.js";
import { WorkbenchError } from "../errors.js";
import type { TextChange } from "../texts/shared-text.js";
import type { SharedTexts } from "../texts/shared-texts.js";
import { type Cell, infoOf, NOT_RUN, newId, newKey, spanOfCell, wholeIn } from "./cell.js";
import { CELL_DEPTH, fieldOf, OUTPUT_DEPTH, printCell } from "./cell-edit.js";
import { ofKind, readCell, withoutOutputs } from "./cell-json.js";
import { CellSteps } from "./cell-steps.js";
import { CellTexts } from "./cell-texts.js";
import { CellsInJson, type Frame } from "./cells-in-json.js";
import { followJson } from "./follow-json.js";
import { JUPYTER, lineAt, printJson } from "./json-style.js";
import { NotANotebook, type Span } from "./layout.js";
import { shownOutput, writtenOutput } from "./outputs.js";
import type { Edit } from "./source-edit.js";
import { type Step, UndoStack } from "./undo-stack.js";

/** Whoever changes the JSON by typing into it does so for a while; it is looked at in the pauses. */
const PAUSE_MS = 150;
/** Names of those that change a document as a whole. */
const AT_ONCE: ReadonlySet<string> = new Set(["disk", "revert", "review", "workbench", "save"]);
/** Characters. A little under what can be opened, so that what was saved can be opened again. */
const LARGEST = LARGEST_FILE - 2 * 1024 * 1024;

/** The part of what there is to know that is not in the cells. */
export type Outline = Pick<Frame, "language" | "kernel">;

/**
 * A notebook as cells, and what people and kernels do to them. The document's JSON is all there is: dirt,
 * journal, save, clash and merge are the document's own. When the JSON changes underneath, the cells are
 * found in it again.
 */
export class OpenNotebook {
  readonly document: OpenDocument;
  readonly #json: CellsInJson;
  readonly #texts: CellTexts;
  readonly #tell: (changes: readonly NotebookChange[]) => void;
  readonly #undo: UndoStack;
  #problem: string | null = null;
  /** Who has written the JSON since the cells were found in it. */
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
    this.#json = new CellsInJson(document);
    this.#texts = new CellTexts(document.uri, texts, {
      whyNot: () => this.#whyNot(),
      typed: (cell, changes) => this.#typed(cell, changes),
    });
    this.#tell = tell;
    const steps = new CellSteps(this.#json, this.#texts, { ready: () => this.#ready(), tell });
    this.#undo = new UndoStack((step) => steps.do(step));
    this.#look("disk");
  }

  get uri(): Uri {
    return this.#texts.uri;
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
    return this.#json.frame;
  }

  get keys(): readonly string[] {
    return this.#json.keys;
  }

  /** All cells, for a window that shows them. */
  get whole(): readonly WholeCell[] {
    this.#fresh();
    this.#known = true;
    return this.#json.cells.map((cell) => wholeIn(this.#json.text, cell));
  }

  /** Null if there is none of that name any more. */
  find(key: string): { readonly index: number; readonly cell: Cell } | null {
    return this.#json.find(key);
  }

  /** The key of the cell that a place of the file is in; null if it is in none. */
  cellAt({ line, character }: TextPosition): string | null {
    const { text } = this.document.shared;
    if (line >= text.lines) return null;
    const at = text.line(line + 1).from + character;
    const isHere = ({ from, to }: Span) => from <= at && at < to;
    return this.#json.cells.find((cell) => isHere(spanOfCell(cell)))?.key ?? null;
  }

  /** A window knows the cells by these names from the workbench that was here before. */
  adopt(keys: readonly string[]): void {
    const { cells } = this.#json;
    const fits =
      !this.#known &&
      keys.length === cells.length &&
      new Set(keys).size === keys.length &&
      cells.every(({ key, layout }, index) => key !== layout.id || key === keys[index]);
    if (fits) this.#texts.rekey(cells, keys);
  }

  /** The document's text has changed. */
  changed({ by }: TextChange): void {
    if (this.#json.isWriting) return;
    this.#stale = { by };
    clearTimeout(this.#timer);
    if (AT_ONCE.has(by)) this.#fresh();
    else this.#timer = setTimeout(() => this.#fresh(), PAUSE_MS);
  }

  /** Its document has another name now. */
  renamed(): void {
    this.#texts.moveTo(this.document.uri, this.#json.cells);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const cell of this.#json.cells) this.#texts.close(cell);
    this.#json.forget();
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
    return keys.map((key) => this.#json.jsonOf(this.#at(key).cell));
  }

  /** New cells of the JSON of others, before the cell at `at`. */
  paste(at: number, raws: readonly string[]): readonly string[] {
    const { style, hasIds } = this.#ready();
    const steps = raws.map((raw, index) => {
      const { id: _, ...cell } = readCell(raw);
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
    const raw = ofKind(this.#json.jsonOf(cell), kind, this.#json.frame.style);
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
    const below = this.#json.cells[index + 1];
    if (!below) throw new WorkbenchError("There is no cell below to merge with.");
    const texts = [cell.shared.toString(), below.shared.toString()].filter((text) => text !== "");
    this.#undo.take([
      { kind: "source", key, text: texts.join("\n") },
      { kind: "remove", key: below.key },
    ]);
  }

  /** Of all cells without keys. */
  clearOutputs(keys: readonly string[] = this.keys): void {
    const { style } = this.#ready();
    const steps = keys.flatMap((key): Step[] => {
      const cell = this.find(key)?.cell;
      const isClear = cell?.layout.outputs.length === 0 && cell.executionCount === null;
      if (cell?.layout.kind !== "code" || isClear) return [];
      const raw = withoutOutputs(this.#json.jsonOf(cell), style);
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
    if (!fieldOf(cell.layout, "outputs")) this.#json.setField(cell, "outputs", "[]");
    const at = Math.min(from, cell.layout.outputs.length);
    const print = (output: CellOutput) => printJson(writtenOutput(output), style, OUTPUT_DEPTH);
    const raws = outputs.map(print);
    const gone = cell.layout.outputs.slice(at).reduce((sum, each) => sum + each.to - each.from, 0);
    const come = raws.reduce((sum, { length }) => sum + length, 0);
    const fits = this.#json.text.length - gone + come <= LARGEST;
    this.#json.setOutputs(cell, at, fits ? raws : [print(TOO_MUCH)]);
    const shown = (fits ? outputs : [TOO_MUCH]).map(shownOutput);
    this.#tell([{ kind: "outputs", key, from: at, outputs: shown }]);
  }

  setExecutionCount(key: string, count: number | null): void {
    const cell = this.find(key)?.cell;
    if (cell?.layout.kind !== "code" || this.#whyNot() !== null) return;
    if (cell.executionCount === count && fieldOf(cell.layout, "execution_count")) return;
    this.#json.setField(cell, "execution_count", JSON.stringify(count));
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

  /** Throws where its cells cannot be edited now. */
  #ready(): Frame {
    const why = this.#whyNot();
    if (why !== null) throw new WorkbenchError(why);
    return this.#json.frame;
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

  /** A window has changed a cell's text: the JSON follows, before any other window hears of it. */
  #typed(cell: Cell, changes: ChangeSet): void {
    this.#ready();
    const edits: Edit[] = [];
    changes.iterChanges((from, to, _from, _to, inserted) => {
      edits.push({ from, to, insert: inserted.toString() });
    }, true);
    this.#json.editSource(cell, edits);
  }

  /** Finds the cells in the JSON that somebody else has written. */
  #look(by: string): void {
    clearTimeout(this.#timer);
    this.#stale = null;
    let changes: readonly NotebookChange[] = [];
    try {
      changes = followJson(this.#json, this.#texts, this.document.shared, by);
      this.#problem = null;
    } catch (problem) {
      // A file may have anything in it; none may keep the editor from its other documents.
      this.#problem = problem instanceof NotANotebook ? problem.message : UNREADABLE;
    }
    this.#tell(changes);
  }
}

const TOO_MUCH: CellOutput = {
  output_type: "stream",
  name: "stderr",
  text: "[Left out here: what does not fit into this notebook. Clear some outputs.]\n",
};
const UNREADABLE = "This notebook is shown as text, because something in its cells cannot be read.";

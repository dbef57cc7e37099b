import type { NotebookChange, WholeCell } from "../contract/notebooks.js";
import { attachmentsIn, type Cell, fieldIn, infoOf, outputsIn, wholeIn } from "./cell.js";
import { withField } from "./cell-json.js";
import type { CellTexts } from "./cell-texts.js";
import type { CellsInJson, Frame } from "./cells-in-json.js";
import { layOutCell } from "./layout.js";
import { leastEdit } from "./source-edit.js";
import type { Step } from "./undo-stack.js";

interface Owner {
  /** Throws where the cells cannot be edited now. */
  readonly ready: () => Frame;
  readonly tell: (changes: readonly NotebookChange[]) => void;
}

/** Does steps, in the JSON and in the texts, and tells windows of them. */
export class CellSteps {
  readonly #json: CellsInJson;
  readonly #texts: CellTexts;
  readonly #owner: Owner;

  constructor(json: CellsInJson, texts: CellTexts, owner: Owner) {
    this.#json = json;
    this.#texts = texts;
    this.#owner = owner;
  }

  /** Answers what takes it back; null if there is nothing to be done. */
  do(step: Step): Step | null {
    if (step.kind === "insert") return this.#insert(step.index, step.key, step.raw);
    const found = this.#json.find(step.key);
    if (!found) return null;
    const { index, cell } = found;
    switch (step.kind) {
      case "remove":
        return this.#remove(index, cell);
      case "move":
        return this.#move(index, cell, step.to);
      case "source":
        return this.#setSource(cell, step.text);
      case "become":
        return this.#become(cell, step.raw);
    }
  }

  #insert(index: number, key: string, raw: string): Step {
    this.#owner.ready();
    const layout = layOutCell(raw);
    const cell = this.#json.insert(index, raw, (from) =>
      this.#texts.open(key, { from, layout }, this.#json.text),
    );
    this.#tellKeys([wholeIn(this.#json.text, cell)]);
    return { kind: "remove", key };
  }

  #remove(index: number, cell: Cell): Step {
    this.#owner.ready();
    const raw = this.#json.jsonOf(cell);
    this.#json.remove(index);
    this.#texts.close(cell);
    this.#tellKeys([]);
    return { kind: "insert", index, key: cell.key, raw };
  }

  #move(index: number, { key }: Cell, to: number): Step | null {
    this.#owner.ready();
    if (!this.#json.move(index, to)) return null;
    this.#tellKeys([]);
    return { kind: "move", key, to: index };
  }

  /** The JSON follows, as when somebody types. */
  #setSource({ key, shared }: Cell, wanted: string): Step {
    const text = shared.toString();
    const edit = leastEdit(text, wanted);
    if (edit) shared.edit(edit, "notebook");
    return { kind: "source", key, text };
  }

  #become(cell: Cell, wanted: string): Step {
    const { style } = this.#owner.ready();
    const { key } = cell;
    const raw = this.#json.jsonOf(cell);
    const source = fieldIn(this.#json.text, cell, "source");
    this.#json.rewrite(cell, source === null ? wanted : withField(wanted, "source", source, style));
    const { text } = this.#json;
    this.#owner.tell([
      { kind: "cell", cell: infoOf(cell) },
      { kind: "outputs", key, from: 0, outputs: outputsIn(text, cell) },
      { kind: "attachments", key, attachments: attachmentsIn(text, cell) },
    ]);
    return { kind: "become", key, raw };
  }

  #tellKeys(added: readonly WholeCell[]): void {
    this.#owner.tell([{ kind: "cells", keys: this.#json.keys, added }]);
  }
}

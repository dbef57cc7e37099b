import type { ChangeSet, Text } from "@codemirror/state";
import type { Uri } from "@lockstep/protocol";
import { diffTexts } from "../documents/text-diff.js";
import { SharedText } from "../texts/shared-text.js";
import type { SharedTexts } from "../texts/shared-texts.js";
import { type Cell, countIn, NOT_RUN, type Placed, sourceIn } from "./cell.js";

interface Owner {
  /** Why the texts may not be edited now; null if they may. */
  readonly whyNot: () => string | null;
  /** A window has changed a cell's text, and no other window has heard of it yet. */
  readonly typed: (cell: Cell, changes: ChangeSet) => void;
}

/** The texts of a notebook's cells, as windows find and edit them: by the notebook's name and the cell's key. */
export class CellTexts {
  readonly #texts: SharedTexts;
  readonly #owner: Owner;
  #uri: Uri;
  /** A text is made what the JSON has, so the JSON need not follow it. */
  #isFollowing = false;

  constructor(uri: Uri, texts: SharedTexts, owner: Owner) {
    this.#uri = uri;
    this.#texts = texts;
    this.#owner = owner;
  }

  /** The name of the notebook in the names of its texts. */
  get uri(): Uri {
    return this.#uri;
  }

  /** A new cell, which stands there in this JSON. */
  open(key: string, place: Placed, json: Text): Cell {
    const shared = new SharedText(sourceIn(json, place));
    // Before it is shared, and so before windows hear of a change.
    const subscription = shared.subscribe(({ changes }) => {
      if (!this.#isFollowing) this.#owner.typed(cell, changes);
    });
    const cell: Cell = {
      ...{ key, shared, ...place, subscription },
      executionCount: countIn(json, place),
      run: NOT_RUN,
    };
    this.#share(cell);
    return cell;
  }

  close(cell: Cell): void {
    cell.subscription[Symbol.dispose]();
    this.#texts.remove(this.#nameOf(cell));
  }

  /** The JSON has this source for the cell now; `by` wrote it. */
  follow(cell: Cell, source: Text, by: string): void {
    if (source.eq(cell.shared.text)) return;
    this.#isFollowing = true;
    try {
      cell.shared.edit(diffTexts(cell.shared.text, source), by);
    } finally {
      this.#isFollowing = false;
    }
  }

  /** Gives these cells other keys, in their order. */
  rekey(cells: readonly Cell[], keys: readonly string[]): void {
    this.#rename(cells, () => {
      for (const [index, cell] of cells.entries()) cell.key = keys[index] ?? cell.key;
    });
  }

  /** The notebook of these cells has another name. */
  moveTo(uri: Uri, cells: readonly Cell[]): void {
    this.#rename(cells, () => {
      this.#uri = uri;
    });
  }

  #rename(cells: readonly Cell[], change: () => void): void {
    for (const cell of cells) this.#texts.remove(this.#nameOf(cell));
    change();
    for (const cell of cells) this.#share(cell);
  }

  #share(cell: Cell): void {
    this.#texts.add(this.#nameOf(cell), cell.shared, this.#owner.whyNot);
  }

  #nameOf({ key }: Cell): string {
    return `cell:${this.#uri}#${key}`;
  }
}

import type { EditorState } from "@codemirror/state";
import type { Uri } from "@lockstep/protocol";
import { call } from "../replica/link.js";
import { placeOf } from "./text-places.js";

/** Something of which a part can be selected: a document, or a cell of one. */
export interface Selectable {
  readonly uri: Uri;
  readonly state: EditorState;
  /** Some edits have not even been sent: what is said of the text now would be ahead of it. */
  readonly waiting: boolean;
  /** The key of the cell, in a notebook. */
  readonly cell?: string;
}

/** Not by frames: asking for one would make one. */
const PAUSE_MS = 16;

/**
 * Tells the workbench what is selected: the first change at once, then the latest, as often as a screen could show it. It
 * never overtakes the person's edits, so that a place always is one of the text it is meant in.
 */
export class SelectionReport {
  #document: Selectable | null = null;
  #last = "";
  #pause: ReturnType<typeof setTimeout> | null = null;
  #owed = false;

  /** Of this document from now on; null for none. */
  of(document: Selectable | null): void {
    this.#document = document;
    this.#last = "";
    this.#owed = false;
    if (document) this.changed();
  }

  /** The selection or the text has changed. */
  changed(): void {
    this.#owed = true;
    if (this.#pause === null) this.#tell();
  }

  /** The document's edits have been sent. */
  sent(): void {
    if (this.#owed && this.#pause === null) this.#tell();
  }

  /** The workbench may not know, or the person came back to this window. */
  again(): void {
    this.#last = "";
    this.changed();
  }

  #tell(): void {
    const document = this.#document;
    if (!document || document.waiting) return;
    this.#owed = false;
    const { uri, state, cell } = document;
    const focused = hasFocus();
    const input = { uri, ...selectionOf(state), ...(cell === undefined ? {} : { cell }), focused };
    const told = JSON.stringify(input);
    if (told === this.#last) return;
    this.#last = told;
    call("window.select", input).catch(() => {
      this.#last = "";
    });
    this.#pause = setTimeout(() => {
      this.#pause = null;
      if (this.#owed) this.#tell();
    }, PAUSE_MS);
  }
}

const hasFocus = (): boolean => globalThis.document.hasFocus();

function selectionOf({ doc, selection: { main } }: EditorState) {
  return { anchor: placeOf(doc, main.anchor), head: placeOf(doc, main.head) };
}

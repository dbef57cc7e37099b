import type { EditorState } from "@codemirror/state";
import { call } from "../replica/link.js";
import type { OpenDocument } from "./open-document.js";
import { placeOf } from "./text-places.js";

/** Not by frames: asking for one would make one. */
const PAUSE_MS = 16;

/**
 * Tells the workbench what is selected: the first change at once, then the latest, as often as a screen could show it. It
 * never overtakes the person's edits, so that a place always is one of the text it is meant in.
 */
export class SelectionReport {
  #document: OpenDocument | null = null;
  #last = "";
  #pause: ReturnType<typeof setTimeout> | null = null;
  #owed = false;

  /** Of this document from now on; null for none. */
  of(document: OpenDocument | null): void {
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
    const input = { uri: document.uri, ...selectionOf(document.state), focused: hasFocus() };
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

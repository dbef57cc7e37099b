import { EditorState, type Transaction } from "@codemirror/state";
import { EditorView, type ViewUpdate } from "@codemirror/view";
import type { Uri } from "@lockstep/protocol";
import type { TextSnapshot } from "@lockstep/workbench/contract";
import { createSignal } from "solid-js";
import { showToast } from "../design/index.js";
import { CollabClient } from "../editor/collab.js";
import { linkWire } from "../editor/text-wire.js";
import { cellSetup } from "./cell-setup.js";

export interface CellListener {
  updated(cell: OpenCell, update: ViewUpdate): void;
  /** All edits are on their way to the workbench. */
  sent(cell: OpenCell): void;
}

/** Changes by the workbench that a person asked for. */
const BY_THE_PERSON: ReadonlySet<string> = new Set(["workbench", "revert", "review"]);

export const cellName = (uri: Uri, key: string): string => `cell:${uri}#${key}`;

/** A cell that this window has shown: its text, cursor and undo history, in step with the workbench. */
export class OpenCell {
  readonly cell: string;
  #uri: Uri;
  readonly #client: CollabClient;
  #state: EditorState;
  #view: EditorView | null = null;
  /** Counts the changes of the text, for what is drawn of it without an editor. */
  readonly #version = createSignal(0);

  constructor(uri: Uri, key: string, snapshot: TextSnapshot, listener: CellListener) {
    this.#uri = uri;
    this.cell = key;
    this.#client = new CollabClient({
      name: cellName(uri, key),
      snapshot,
      wire: linkWire,
      onRefused: (why) => showToast({ text: why, tone: "error" }),
      onSent: () => listener.sent(this),
      isUndoable: (by) => BY_THE_PERSON.has(by) && globalThis.document.hasFocus(),
    });
    this.#state = EditorState.create({
      doc: this.#client.text,
      extensions: [
        this.#client.extension,
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.#changed();
          listener.updated(this, update);
        }),
        cellSetup,
      ],
    });
    this.#client.start(this);
  }

  get uri(): Uri {
    return this.#uri;
  }

  get state(): EditorState {
    return this.#view?.state ?? this.#state;
  }

  /** Whoever reads it in an effect hears of each change. */
  get text(): string {
    this.#version[0]();
    return this.state.doc.toString();
  }

  get unsent(): boolean {
    return this.#client.unsent;
  }

  get waiting(): boolean {
    return this.#client.waiting;
  }

  get view(): EditorView | null {
    return this.#view;
  }

  dispatch(transaction: Transaction): void {
    if (this.#view) this.#view.dispatch(transaction);
    else {
      this.#state = transaction.state;
      if (transaction.docChanged) this.#changed();
    }
  }

  /** An editor for it, until it is hidden. */
  show(): EditorView {
    this.hide();
    this.#view = new EditorView({ state: this.#state });
    return this.#view;
  }

  hide(): void {
    if (!this.#view) return;
    this.#state = this.#view.state;
    this.#view.destroy();
    this.#view = null;
  }

  /** The notebook's file has another name now. */
  rename(uri: Uri): void {
    this.#uri = uri;
    this.#client.rename(cellName(uri, this.cell));
  }

  dispose(): void {
    this.hide();
    this.#client.dispose();
  }

  #changed(): void {
    this.#version[1]((count) => count + 1);
  }
}

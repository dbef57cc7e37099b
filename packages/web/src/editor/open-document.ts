import {
  type ChangeSet,
  EditorState,
  type StateEffect,
  type Text,
  type Transaction,
} from "@codemirror/state";
import { EditorView, type ViewUpdate } from "@codemirror/view";
import type { Uri } from "@lockstep/protocol";
import type { DocumentInfo, Settings, TextSnapshot } from "@lockstep/workbench/contract";
import { showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { replica } from "../replica/state.js";
import { CollabClient } from "./collab.js";
import { documentOf } from "./document-of.js";
import { detectIndentation, type Indentation } from "./indentation.js";
import { languageFor } from "./languages.js";
import { indentation, label, readOnly, setup, slots } from "./setup.js";
import { linkWire } from "./text-wire.js";

export interface DocumentListener {
  /** What the view shows has changed, by the person or by others. */
  updated(document: OpenDocument, update: ViewUpdate): void;
  /** All edits are on their way to the workbench. */
  sent(document: OpenDocument): void;
}

/** Changes that a person can take back: replacing in files, reverting, merging, undoing, an agent's format. */
const BY_THE_PERSON: ReadonlySet<string> = new Set([
  ...["workbench", "revert", "review", "turn", "format"],
]);

/**
 * A document that this window has shown: its text, selection, folds, undo history and place. It stays
 * in step with the workbench while another one is in the view, too.
 */
export class OpenDocument {
  #uri: Uri;
  readonly #client: CollabClient;
  #state: EditorState;
  #view: EditorView | null = null;
  #place: StateEffect<unknown> | null = null;
  #indentation: Indentation | null = null;
  #languageId: string | null = null;
  #informed = false;

  constructor(uri: Uri, snapshot: TextSnapshot, listener: DocumentListener) {
    this.#uri = uri;
    this.#client = new CollabClient({
      name: uri,
      snapshot,
      wire: linkWire,
      onRefused: (why) => this.#refused(why),
      onSent: () => listener.sent(this),
      // Only where the person is: two windows that both took it back would do it twice.
      isUndoable: (by) => BY_THE_PERSON.has(by) && globalThis.document.hasFocus(),
      revive: () => call("tab.open", { uri: this.uri, preview: false }),
    });
    this.#state = EditorState.create({
      doc: this.#client.text,
      extensions: [
        this.#client.extension,
        documentOf.of(this),
        EditorView.updateListener.of((update) => listener.updated(this, update)),
        setup,
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

  get unsent(): boolean {
    return this.#client.unsent;
  }

  /** Some edits have not even been sent: what is said of the text now would be ahead of it. */
  get waiting(): boolean {
    return this.#client.waiting;
  }

  /** The text that the workbench has confirmed, and what this window has changed of it since. */
  get confirmed(): { readonly text: Text; readonly since: ChangeSet } {
    return this.#client.confirmed;
  }

  get languageId(): string {
    return this.#languageId ?? "plaintext";
  }

  get indentation(): Indentation | null {
    return this.#indentation;
  }

  dispatch(transaction: Transaction): void {
    if (this.#view) {
      this.#view.dispatch(transaction);
      return;
    }
    this.#state = transaction.state;
    // Without a view nobody hears of the change; what came from the workbench needs no sending.
    if (transaction.docChanged) setTimeout(() => this.#client.push());
  }

  /** Its file has another name now; cursor, history and what is not sent yet stay. */
  rename(uri: Uri): void {
    this.#uri = uri;
    this.#client.rename(uri);
  }

  /** The workbench may have another text by this name now. */
  attachAnew(): void {
    this.#client.attachAnew();
  }

  /** Into the view, at the place where it was left. */
  show(view: EditorView): void {
    view.setState(this.#state);
    this.#view = view;
    if (this.#place) view.dispatch({ effects: this.#place });
    else view.scrollDOM.scrollTo(0, 0);
  }

  hide(): void {
    if (!this.#view) return;
    this.#place = this.#view.scrollSnapshot();
    this.#state = this.#view.state;
    this.#view = null;
  }

  /** Takes over what the settings and the workbench say of it. */
  configure(info: DocumentInfo, settings: Required<Settings>): void {
    const { insertSpaces, tabSize } = settings;
    const fallback = { insertSpaces, size: tabSize };
    this.#indentation = detectIndentation(this.state.doc, fallback);
    this.dispatch(
      this.state.update({
        effects: [
          slots.indentation.reconfigure(indentation(this.#indentation)),
          slots.wrap.reconfigure(settings.wordWrap ? EditorView.lineWrapping : []),
          slots.readOnly.reconfigure(readOnly(info.readOnly)),
          slots.label.reconfigure(label(info.label)),
        ],
      }),
    );
    if (info.languageId !== this.#languageId) void this.#colour(info);
    if (!this.#informed) void this.#inform();
  }

  /** What can be known of a text comes after the text. */
  async #inform(): Promise<void> {
    this.#informed = true;
    const { knowledge } = await import("../languages/knowledge.js");
    this.dispatch(this.state.update({ effects: slots.knowledge.reconfigure(knowledge) }));
  }

  /** Said until it may be edited again, or is closed. */
  #refused(why: string): void {
    const readOnly = () => replica()?.documents[this.#uri]?.readOnly ?? null;
    showProblem(why, readOnly() === null ? undefined : () => readOnly() === null);
  }

  async #colour({ languageId, label, size }: DocumentInfo): Promise<void> {
    this.#languageId = languageId;
    const language = await languageFor(languageId === "plaintext" ? label : languageId, size);
    if (this.#languageId !== languageId) return;
    this.dispatch(this.state.update({ effects: slots.language.reconfigure(language) }));
  }

  dispose(): void {
    this.hide();
    this.#client.dispose();
  }
}

import { randomUUID } from "node:crypto";
import { printable, type Uri } from "@lockstep/protocol";
import type { TabInfo } from "../contract/documents.js";
import { isSystemError } from "../disk-errors.js";
import type { Surroundings } from "../surroundings.js";
import type { TextChange } from "../texts/shared-text.js";
import type { SharedTexts } from "../texts/shared-texts.js";
import { placeOf } from "./document-uri.js";
import type { Journal } from "./journal.js";
import type { JournalFolder } from "./journal-folder.js";
import { OpenDocument, type Opening } from "./open-document.js";
import { TabList } from "./tab-list.js";
import { type Refusal, unshown } from "./unshown.js";

export type DocumentsChange =
  /** The tabs, or what is said of a document: its dirt, its name, a clash. */
  | { readonly kind: "tabs" }
  | { readonly kind: "text"; readonly uri: Uri; readonly change: TextChange };

const JOURNAL_NOTICE = "journal";

/** The open documents and their tabs, and all who are told of them: the windows, the next start. */
export class Shelf {
  readonly tabs = new TabList();
  readonly #documents = new Map<Uri, OpenDocument>();
  readonly #listeners = new Set<(change: DocumentsChange) => void>();
  /** Documents whose journal cannot be written now. */
  readonly #unsafe = new Set<Uri>();
  #restored = false;
  readonly #surroundings: Surroundings;
  readonly #texts: SharedTexts;
  readonly #folder: JournalFolder;

  constructor(surroundings: Surroundings, texts: SharedTexts, folder: JournalFolder) {
    this.#surroundings = surroundings;
    this.#texts = texts;
    this.#folder = folder;
  }

  get(uri: Uri): OpenDocument | null {
    return this.#documents.get(uri) ?? null;
  }

  list(): readonly OpenDocument[] {
    return this.tabs.all.flatMap(({ uri }) => this.get(uri) ?? []);
  }

  /** A preview takes the place of the one before, unless that has something to lose. */
  add(opening: Omit<Opening, "place" | "journal" | "watcher">, preview: boolean): OpenDocument {
    const { uri } = opening;
    const document = new OpenDocument({
      ...opening,
      place: placeOf(uri, this.#surroundings.folders),
      journal: this.#journal(uri),
      watcher: {
        text: (changed, change) => this.#tell({ kind: "text", uri: changed.uri, change }),
        info: (changed) => this.#infoChanged(changed),
      },
    });
    this.#documents.set(uri, document);
    this.#texts.add(uri, document.shared, () => document.readOnly);
    this.#surroundings.store.put("documents", uri, document.info);
    this.#addTab({ uri, preview: preview && !document.dirty });
    return document;
  }

  /** The tab of a file that has no document: it says why. */
  addUnshown(uri: Uri, refusal: Refusal, preview: boolean): void {
    this.#addTab({ uri, preview, unshown: unshown(uri, refusal, this.#surroundings.folders) });
  }

  removeUnshown(uri: Uri): void {
    if (!this.tabs.get(uri)?.unshown) return;
    this.tabs.remove(uri);
    this.tabsChanged();
  }

  renameUnshown(from: Uri, to: Uri): void {
    if (this.tabs.get(to)) {
      this.removeUnshown(from);
      return;
    }
    this.#surroundings.broadcast("document.renamed", { from, to });
    this.tabs.rename(from, to);
    this.tabsChanged();
  }

  remove(document: OpenDocument): void {
    this.tabs.remove(document.uri);
    this.#drop(document);
    this.tabsChanged();
  }

  rename(document: OpenDocument, uri: Uri): void {
    const from = document.uri;
    this.#documents.delete(from);
    this.#documents.set(uri, document);
    document.rename(uri, placeOf(uri, this.#surroundings.folders), this.#journal(uri));
    this.#texts.remove(from);
    this.#texts.add(uri, document.shared, () => document.readOnly);
    this.#surroundings.store.put("documents", uri, document.info);
    // Before its tab goes by the new name: a window that shows it would turn to another tab.
    this.#surroundings.broadcast("document.renamed", { from, to: uri });
    this.tabs.rename(from, uri);
    this.tabsChanged();
    this.#surroundings.store.remove("documents", from);
  }

  /** The windows, the list for the next start and the listeners get to know. */
  tabsChanged(): void {
    this.#surroundings.store.set("tabs", this.tabs.all);
    if (this.#restored) this.#writeTabs();
    this.#tell({ kind: "tabs" });
  }

  /** All tabs of last time are there again. Until now their list was left alone: a crash may come. */
  restored(): void {
    this.#restored = true;
    this.#writeTabs();
  }

  /** Says something that the person should know; it stays until it is dismissed. */
  notify(text: string): void {
    const id = randomUUID();
    this.#surroundings.store.put("notices", id, { id, severity: "warning", text });
  }

  subscribe(listener: (change: DocumentsChange) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Lets go of all of them; what is unsaved stays in the journals. */
  close(): void {
    for (const document of this.#documents.values()) {
      document.close(true);
      this.#texts.remove(document.uri);
    }
    this.#documents.clear();
    this.#listeners.clear();
  }

  #writeTabs(): void {
    try {
      this.#folder.writeTabs(this.tabs.all.map(({ uri, preview }) => ({ uri, preview })));
    } catch (problem) {
      this.#surroundings.report(problem);
    }
  }

  /** In the place of the one for the same file, if it has one; else as {@link add} says. */
  #addTab(tab: TabInfo): void {
    const before = this.tabs.get(tab.uri);
    const replaced = before || !tab.preview ? null : this.#replaceable();
    const preview = tab.preview && (before?.preview ?? true);
    this.tabs.add({ ...tab, preview }, before ? tab.uri : replaced);
    const document = replaced && this.get(replaced);
    if (document) this.#drop(document);
    this.tabsChanged();
  }

  #replaceable(): Uri | null {
    const uri = this.tabs.preview;
    const document = uri && this.get(uri);
    return document?.dirty || document?.clash ? null : uri;
  }

  #drop(document: OpenDocument): void {
    const { uri } = document;
    document.close(false);
    this.#documents.delete(uri);
    this.#texts.remove(uri);
    this.#surroundings.store.remove("documents", uri);
  }

  #infoChanged(document: OpenDocument): void {
    const { uri } = document;
    const { store } = this.#surroundings;
    const before = store.state.documents[uri];
    store.put("documents", uri, document.info);
    if (store.state.documents[uri] === before) return;
    if (document.dirty && this.tabs.preview === uri) {
      this.tabs.keep(uri);
      this.tabsChanged();
    } else {
      this.#tell({ kind: "tabs" });
    }
  }

  #journal(uri: Uri): Journal {
    return this.#folder.journal(uri, (problem) => this.#journalState(uri, problem));
  }

  #journalState(uri: Uri, problem: unknown): void {
    const { store, report } = this.#surroundings;
    if (problem === null) {
      this.#unsafe.delete(uri);
      if (this.#unsafe.size === 0) store.remove("notices", JOURNAL_NOTICE);
      return;
    }
    this.#unsafe.add(uri);
    report(problem);
    const code = isSystemError(problem) ? ` (${problem.code})` : "";
    const text = `Unsaved edits cannot be kept safe in ${printable(this.#folder.path)}${code}: make room there, and save often until then.`;
    store.put("notices", JOURNAL_NOTICE, { id: JOURNAL_NOTICE, severity: "error", text });
  }

  /** One listener that fails does not keep the others, nor the windows, from hearing of it. */
  #tell(change: DocumentsChange): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch (problem) {
        this.#surroundings.report(problem);
      }
    }
  }
}

import type { ChangeSet, Text } from "@codemirror/state";
import { languageId } from "@lockstep/editor";
import { baseName, filePath, type Uri } from "@lockstep/protocol";
import { isUntouched, readDisk, type Stamp } from "../documents/disk-file.js";
import type { Documents, OpenDocument } from "../documents/documents.js";
import { decode } from "../documents/text-format.js";
import { type ContentChange, contentChanges, type FollowedText } from "./followed-text.js";

/** Files that nobody has open but that are followed all the same. */
const MOST_FILES = 200;
/** Characters. Larger texts are shown, but no server is given them. */
const LARGEST_TEXT = 2 * 1024 * 1024;

export interface FollowListener {
  opened(text: FollowedText): void;
  changed(text: FollowedText, changes: readonly ContentChange[]): void;
  /** The file has this text now, whoever wrote it. */
  saved(text: FollowedText): void;
  closed(text: FollowedText): void;
}

interface Entry {
  readonly uri: Uri;
  readonly languageId: string;
  text: Text;
  version: number;
  stamp: Stamp | null;
  /** The document, while it is open: then its text counts, and not the file's. */
  document: OpenDocument | null;
  /** It has changed since servers were told that the file has it. */
  changed: boolean;
  /** Somebody asked for it by name or changed it, so it stays when its tab is closed. */
  wanted: boolean;
}

/** The texts that language servers are told of: open documents, and files that somebody works on. */
export class FollowedTexts {
  readonly #documents: Documents;
  readonly #isKnown: (languageId: string) => boolean;
  readonly #listener: FollowListener;
  /** The last that was asked for at the end. */
  readonly #entries = new Map<Uri, Entry>();
  /** The last read of each, and those that have not begun. */
  readonly #reading = new Map<Uri, Promise<void>>();
  readonly #waiting = new Map<Uri, Promise<void>>();
  readonly #report: (problem: unknown) => void;

  constructor(
    documents: Documents,
    isKnown: (languageId: string) => boolean,
    listener: FollowListener,
    report: (problem: unknown) => void,
  ) {
    this.#report = report;
    this.#documents = documents;
    this.#isKnown = isKnown;
    this.#listener = listener;
    documents.subscribe((change) => {
      if (change.kind === "tabs") this.lookAtTabs();
      else this.#edited(change.uri, change.change.changes);
    });
    this.lookAtTabs();
  }

  get(uri: Uri): FollowedText | null {
    return this.#entries.get(uri) ?? null;
  }

  all(): readonly FollowedText[] {
    return [...this.#entries.values()];
  }

  /** From now on servers know this file, too. Null if none would. */
  async follow(uri: Uri): Promise<FollowedText | null> {
    const known = this.#entries.get(uri);
    if (known) {
      known.wanted = true;
      this.#entries.delete(uri);
      this.#entries.set(uri, known);
    }
    await this.#read(uri);
    this.#dropOldest();
    return this.get(uri);
  }

  /** Looks at the files of all of them again: whoever wrote one may be quicker than the watcher. */
  async reread(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((uri) => this.#read(uri)));
  }

  /** As {@link reread}, for those at or below these paths. */
  async noticeDisk(isBelow: (path: string) => boolean): Promise<void> {
    const concerned = [...this.#entries.values()].filter(({ uri, document }) => {
      const path = filePath(uri);
      return document === null && path !== null && isBelow(path);
    });
    await Promise.all(concerned.map(({ uri }) => this.#read(uri)));
  }

  /** Which languages are known has changed, or what is open. */
  lookAtTabs(): void {
    const open = new Map(this.#documents.list().map((document) => [document.uri, document]));
    for (const document of open.values()) this.#show(document);
    for (const entry of [...this.#entries.values()]) {
      if (!this.#isKnown(entry.languageId)) this.#drop(entry);
      else if (entry.document && !open.has(entry.uri)) this.#hide(entry);
    }
  }

  #show(document: OpenDocument): void {
    const { uri, shared } = document;
    const { dirty, languageId: language } = document.info;
    const entry = this.#entries.get(uri);
    if (!entry) {
      if (shared.text.length > LARGEST_TEXT || !this.#isWanted(uri, language)) return;
      const version = 1;
      const { text } = shared;
      this.#add({
        uri,
        languageId: language,
        text,
        version,
        stamp: null,
        document,
        changed: dirty,
        wanted: false,
      });
      return;
    }
    if (entry.document !== document) {
      entry.document = document;
      entry.stamp = null;
      this.#become(entry, shared.text);
    }
    if (!dirty) this.#saved(entry);
  }

  /** Its tab is closed. Its file is read before anybody asks for it again. */
  #hide(entry: Entry): void {
    entry.document = null;
    if (entry.wanted) void this.#read(entry.uri);
    else this.#drop(entry);
  }

  #edited(uri: Uri, changes: ChangeSet): void {
    const entry = this.#entries.get(uri);
    if (!entry?.document) return;
    if (changes.length !== entry.text.length) {
      this.#become(entry, entry.document.shared.text);
      return;
    }
    const told = contentChanges(entry.text, changes);
    entry.text = changes.apply(entry.text);
    entry.version++;
    entry.changed = true;
    this.#listener.changed(entry, told);
  }

  #become(entry: Entry, text: Text): void {
    if (entry.text.eq(text)) return;
    entry.text = text;
    entry.version++;
    entry.changed = true;
    this.#listener.changed(entry, [{ text: text.toString() }]);
  }

  /** Some servers look thoroughly only at what is saved: rust-analyzer has the compiler do it then. */
  #saved(entry: Entry): void {
    if (!entry.changed) return;
    entry.changed = false;
    this.#listener.saved(entry);
  }

  /**
   * Those that ask before a read has begun share it. Who asks later gets one of their own: the file
   * may have been written meanwhile.
   */
  #read(uri: Uri): Promise<void> {
    const waiting = this.#waiting.get(uri);
    if (waiting) return waiting;
    const reading = (this.#reading.get(uri) ?? Promise.resolve())
      .then(() => {
        this.#waiting.delete(uri);
        return this.#readFile(uri);
      })
      .catch(this.#report)
      .finally(() => {
        if (this.#reading.get(uri) === reading) this.#reading.delete(uri);
      });
    this.#waiting.set(uri, reading);
    this.#reading.set(uri, reading);
    return reading;
  }

  async #readFile(uri: Uri): Promise<void> {
    const path = filePath(uri);
    if (path === null) return;
    const open = this.#documents.get(uri);
    if (open) return this.#documents.noticeDisk([path]);
    const language = languageId(baseName(path));
    if (!this.#isWanted(uri, language)) return;
    const before = this.#entries.get(uri);
    if (before?.stamp && (await isUntouched(path, before.stamp))) return;
    const disk = await readDisk(path);
    // Meanwhile its tab may have been opened.
    if (this.#documents.get(uri)) return;
    const entry = this.#entries.get(uri);
    const text = disk.kind === "file" ? decode(disk.bytes).text : null;
    if (disk.kind !== "file" || text === null || text.length > LARGEST_TEXT) {
      if (entry) this.#drop(entry);
      return;
    }
    if (entry) {
      entry.stamp = disk.stamp;
      this.#become(entry, text);
      this.#saved(entry);
    } else {
      const { stamp } = disk;
      const more = { version: 1, stamp, document: null, changed: false, wanted: true };
      this.#add({ uri, languageId: language, text, ...more });
    }
  }

  #isWanted(uri: Uri, language: string): boolean {
    // A notebook is JSON only for those who do not show it as one.
    return this.#isKnown(language) && filePath(uri) !== null && !uri.endsWith(".ipynb");
  }

  #add(entry: Entry): void {
    this.#entries.set(entry.uri, entry);
    this.#listener.opened(entry);
  }

  #drop(entry: Entry): void {
    this.#entries.delete(entry.uri);
    this.#listener.closed(entry);
  }

  #dropOldest(): void {
    const files = [...this.#entries.values()].filter(({ document }) => document === null);
    for (const entry of files.slice(0, -MOST_FILES)) this.#drop(entry);
  }
}

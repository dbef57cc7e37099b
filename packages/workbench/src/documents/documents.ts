import { dirname, join, relative } from "node:path";
import type { ChangeSpec } from "@codemirror/state";
import { filePath, fileUri, isWithin, printable, type Uri } from "@lockstep/protocol";
import type { documentCalls } from "../contract/documents.js";
import type { Settings } from "../contract/settings.js";
import { WorkbenchError } from "../errors.js";
import { Queue } from "../queue.js";
import type { Surroundings } from "../surroundings.js";
import { SharedText } from "../texts/shared-text.js";
import type { SharedTexts } from "../texts/shared-texts.js";
import type { Handlers } from "../windows/router.js";
import { AutoSave } from "./auto-save.js";
import { readDisk } from "./disk-file.js";
import { documentHandlers } from "./document-handlers.js";
import { documentPath, documentUri, isUntitled, untitledUri } from "./document-uri.js";
import {
  type Clash,
  endMerge,
  followFile,
  keepMine,
  readSettled,
  revert,
  theirs,
} from "./follow-file.js";
import { JournalFolder, type TabsRecord } from "./journal-folder.js";
import { NO_FILE, type OpenDocument } from "./open-document.js";
import { type Picture, readPicture } from "./pictures.js";
import { Rescues } from "./rescue.js";
import { type SaveWish, saveDocument, saveDocumentAs } from "./save-document.js";
import { type DocumentsChange, Shelf } from "./shelf.js";
import { decode } from "./text-format.js";
import type { Refusal } from "./unshown.js";

export type { DocumentsChange, OpenDocument };

/** A merge that the person asked for, of unsaved edits with a file that changed underneath. */
export interface Merge extends Clash {
  readonly uri: Uri;
}

/** The documents: their tabs, their edits, and all that goes between them and their files. */
export class Documents {
  readonly handlers: Handlers<typeof documentCalls>;
  /** Shows a merge to the person; its result comes back by {@link edit}. */
  onMerge: ((merge: Merge) => void) | null = null;
  readonly #shelf: Shelf;
  readonly #rescues: Rescues;
  readonly #settings: () => Required<Settings>;
  readonly #report: (problem: unknown) => void;
  /** Files are opened one after the other, so that the last preview asked for is the one that stays. */
  readonly #openings = new Queue();
  /** Documents whose file is going to be looked at anyway. */
  readonly #waiting = new Map<OpenDocument, Promise<void>>();
  /** Documents that wait for their new name: that there is no file of the old one means nothing. */
  readonly #moving = new Set<OpenDocument>();
  readonly #autoSave = new AutoSave((uri) => this.#saveByItself(uri));

  private constructor(
    surroundings: Surroundings,
    shelf: Shelf,
    rescues: Rescues,
    settings: () => Required<Settings>,
  ) {
    this.#shelf = shelf;
    this.#rescues = rescues;
    this.#settings = settings;
    this.#report = surroundings.report;
    this.handlers = documentHandlers(this);
    shelf.subscribe((change) => {
      if (change.kind === "text") this.#edited(change.uri);
    });
  }

  /** With the tabs and the unsaved work of last time. */
  static async open(
    surroundings: Surroundings,
    texts: SharedTexts,
    settings: () => Required<Settings>,
  ): Promise<Documents> {
    const folder = await JournalFolder.open(join(surroundings.stateDir, "journal"));
    const rescues = new Rescues(folder.path);
    await rescues.recover(surroundings.report);
    const shelf = new Shelf(surroundings, texts, folder);
    const documents = new Documents(surroundings, shelf, rescues, settings);
    await documents.#restore(folder);
    return documents;
  }

  /** In the order of their tabs. */
  list(): readonly OpenDocument[] {
    return this.#shelf.list();
  }

  get(uri: Uri): OpenDocument | null {
    return this.#shelf.get(uri);
  }

  /** Opens a tab, or makes a preview lasting. Fails with a sentence where there is nothing to show. */
  async show(uri: Uri, preview: boolean): Promise<void> {
    const name = documentUri(uri);
    const refusal = await this.#openings.take(() => this.#show(name, preview));
    if (refusal) throw new WorkbenchError(refusal.why);
  }

  /** As {@link show}, but a file that cannot be shown gets a tab that says why. */
  async showAny(uri: Uri, preview: boolean): Promise<void> {
    const name = documentUri(uri);
    await this.#openings.take(async () => {
      const refusal = await this.#show(name, preview);
      if (refusal) this.#shelf.addUnshown(name, refusal, preview);
    });
  }

  /** A picture that has a tab, for the page to show. */
  async picture(uri: Uri): Promise<Picture | null> {
    const isShown = this.#shelf.tabs.get(uri)?.unshown?.picture != null;
    return isShown ? readPicture(documentPath(uri)) : null;
  }

  /** An empty text without a file. */
  create(): Uri {
    let number = 1;
    while (this.get(untitledUri(number))) number++;
    const uri = untitledUri(number);
    this.#shelf.add({ uri, shared: new SharedText(""), saved: NO_FILE }, false);
    return uri;
  }

  keepTab(uri: Uri): void {
    this.#shelf.tabs.keep(uri);
    this.#shelf.tabsChanged();
  }

  moveTab(uri: Uri, to: number): void {
    this.#shelf.tabs.move(uri, to);
    this.#shelf.tabsChanged();
  }

  async close(uri: Uri, discard: boolean): Promise<"closed" | "dirty" | "absent"> {
    const document = this.get(uri);
    if (!document) {
      this.#shelf.removeUnshown(uri);
      return "absent";
    }
    return document.queue.take(async () => {
      if (this.get(document.uri) !== document) return "closed";
      if (document.dirty && !discard) return "dirty";
      this.#shelf.remove(document);
      return "closed";
    });
  }

  /** An edit by "review" ends a merge: what is unsaved then goes on top of the file that was merged. */
  edit(uri: Uri, changes: ChangeSpec, by?: string): void {
    const document = this.#need(uri);
    document.edit(changes, by);
    if (by === "review") document.queue.take(() => endMerge(document)).catch(this.#report);
  }

  /** Does nothing for a document without unsaved edits. */
  async save(uri: Uri, overwrite = false): Promise<void> {
    await this.#inTurn(uri, (document) => saveDocument(document, this.#wish(overwrite)));
  }

  /** Answers those that could not be saved, or have no file yet. */
  async saveAll(): Promise<readonly Uri[]> {
    const unsaved = this.list().filter((document) => document.dirty);
    const ends = await Promise.allSettled(unsaved.map(({ uri }) => this.save(uri)));
    return unsaved.flatMap(({ uri }, index) => (ends[index]?.status === "rejected" ? [uri] : []));
  }

  /** From then on it is the document of that file. */
  async saveAs(uri: Uri, as: Uri, overwrite: boolean): Promise<void> {
    const target = fileUri(documentPath(as));
    if (target === uri) return this.save(uri, overwrite);
    await this.#inTurn(uri, async (document) => {
      this.#replaceable(target);
      const path = documentPath(target);
      const { saved, size } = await saveDocumentAs(document, path, this.#wish(overwrite));
      // Somebody may have typed into it while the file was written.
      const other = this.#replaceable(target);
      if (other) this.#shelf.remove(other);
      document.wasSaved(saved, size);
      this.#shelf.rename(document, target);
    });
  }

  async revert(uri: Uri): Promise<void> {
    await this.#inTurn(uri, revert);
  }

  async settle(uri: Uri, choice: "mine" | "theirs" | "merge"): Promise<void> {
    await this.#inTurn(uri, async (document) => {
      // It settled by itself since the person saw it.
      if (document.clash === null) return;
      if (choice === "mine") return keepMine(document);
      if (choice === "merge") return this.#merge(document);
      if (document.clash === "deleted") return this.#shelf.remove(document);
      return revert(document);
    });
  }

  setLineEnds(uri: Uri, lineEnds: "lf" | "crlf"): void {
    this.#need(uri).setLineEnds(lineEnds);
  }

  /** These files or folders have changed; without paths, any may have. */
  async noticeDisk(paths?: readonly string[]): Promise<void> {
    const changed = paths && new Set(paths);
    const concerned = this.list().filter(
      ({ path, real }) =>
        path !== null && (!changed || isBelow(path, changed) || isBelow(real ?? path, changed)),
    );
    const unshown = this.#shelf.tabs.all.filter(
      (tab) => tab.unshown && (!changed || isBelow(documentPath(tab.uri), changed)),
    );
    await Promise.all([
      ...concerned.map((document) => this.#follow(document)),
      ...unshown.map(({ uri }) => this.#openings.take(() => this.#lookAgain(uri))),
    ]);
  }

  /** We renamed a file or folder: what is open in it goes by its new name. */
  async moved(from: Uri, to: Uri): Promise<void> {
    const [old, now] = [documentPath(from), documentPath(to)];
    const concerned = this.list().filter(({ path }) => path !== null && isWithin(path, old));
    for (const document of concerned) this.#moving.add(document);
    await Promise.all(
      concerned.map(async (document) => {
        const target = fileUri(join(now, relative(old, document.path ?? old)));
        await document.queue.take(async () => this.#rename(document, target));
        this.#moving.delete(document);
        await this.#follow(document);
      }),
    );
    for (const { uri, unshown } of this.#shelf.tabs.all) {
      const path = filePath(uri);
      if (!unshown || path === null || !isWithin(path, old)) continue;
      const target = fileUri(join(now, relative(old, path)));
      this.#shelf.renameUnshown(uri, target);
      await this.#openings.take(() => this.#lookAgain(target));
    }
  }

  subscribe(listener: (change: DocumentsChange) => void): Disposable {
    return this.#shelf.subscribe(listener);
  }

  /** Waits for saves; what is unsaved stays in the journal. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#autoSave.stop();
    await this.#openings.idle();
    await Promise.all(this.list().map(({ queue }) => queue.idle()));
    this.#shelf.close();
  }

  #need(uri: Uri): OpenDocument {
    const document = this.get(uri);
    if (!document) throw notOpen(uri);
    return document;
  }

  /** The document of that name, if any; fails if something would be lost with it. */
  #replaceable(uri: Uri): OpenDocument | null {
    const document = this.get(uri);
    if (!document?.dirty) return document;
    throw new WorkbenchError(`${document.info.label} has unsaved edits: save or close it first.`);
  }

  /** When what was asked of it before is done; nothing, if that has closed it. */
  #inTurn(uri: Uri, task: (document: OpenDocument) => Promise<void>): Promise<void> {
    const document = this.#need(uri);
    return document.queue.take(async () => {
      if (this.get(document.uri) !== document) throw notOpen(uri);
      await task(document);
    });
  }

  #wish(overwrite: boolean): SaveWish {
    return { overwrite, trim: this.#settings().trimTrailingWhitespace, rescues: this.#rescues };
  }

  async #show(uri: Uri, preview: boolean): Promise<Refusal | null> {
    const isLasting = !preview && this.#shelf.tabs.preview === uri;
    if (isLasting) this.keepTab(uri);
    return this.get(uri) ? null : this.#load(uri, preview);
  }

  /** Answers why there is nothing to show, if so. */
  async #load(uri: Uri, preview: boolean, read = readDisk): Promise<Refusal | null> {
    if (isUntitled(uri)) throw new WorkbenchError(`${uri} is not open any more.`);
    const path = documentPath(uri);
    const disk = await read(path);
    if (disk.kind === "absent") {
      return { reason: "absent", why: `There is no file ${printable(path)}.` };
    }
    if (disk.kind === "refused") {
      const { reason } = disk;
      if (reason === "folder") throw new WorkbenchError(disk.why);
      return { ...disk, reason };
    }
    const { text, format, damaged } = decode(disk.bytes);
    const { stamp, real, bytes } = disk;
    // Meanwhile another document may have been saved under this name.
    if (this.get(uri)) return null;
    const shared = new SharedText(text);
    const saved = { text, format, stamp };
    const opening = { uri, shared, saved, damaged, real, size: bytes.length };
    const document = this.#shelf.add(opening, preview);
    // Nobody looked for it while it was read.
    this.#follow(document).catch(this.#report);
    return null;
  }

  /** A file that could not be shown has changed. */
  async #lookAgain(uri: Uri): Promise<void> {
    const tab = this.#shelf.tabs.get(uri);
    if (!tab?.unshown) return;
    const refusal = await this.#load(uri, tab.preview, readSettled).catch(() => null);
    if (this.get(uri)) return;
    if (refusal && refusal.reason !== "absent") this.#shelf.addUnshown(uri, refusal, tab.preview);
    else if (tab.unshown.reason !== "absent") this.#shelf.removeUnshown(uri);
  }

  async #restore(folder: JournalFolder): Promise<void> {
    const { restored, tabs, problems } = await folder.read();
    const unsaved = new Map(restored.map((work) => [work.uri, work]));
    const more = restored.filter(({ uri }) => !tabs.some((tab) => tab.uri === uri));
    const all: TabsRecord = [...tabs, ...more.map(({ uri }) => ({ uri, preview: false }))];
    for (const { uri, preview } of all) {
      const work = unsaved.get(uri);
      if (this.get(uri)) continue;
      if (work) this.#shelf.add(work, false);
      else if (isUntitled(uri)) {
        this.#shelf.add({ uri, shared: new SharedText(""), saved: NO_FILE }, false);
      } else {
        // A file that is not there any more has nothing to lose: its tab stays closed.
        const refusal = await this.#show(uri, preview).catch(() => null);
        const isThere = refusal !== null && refusal.reason !== "absent";
        if (isThere) this.#shelf.addUnshown(uri, refusal, preview);
      }
    }
    this.#shelf.restored();
    await Promise.all(this.list().map((document) => this.#follow(document)));
    for (const problem of problems) this.#shelf.notify(problem);
  }

  /** However often it is asked for, the file is looked at once after the last time. */
  #follow(document: OpenDocument): Promise<void> {
    const waiting = this.#waiting.get(document);
    if (waiting) return waiting;
    const look = document.queue.take(async () => {
      this.#waiting.delete(document);
      if (this.get(document.uri) !== document) return;
      const end = await followFile(document);
      if (end === "gone" && !this.#moving.has(document)) this.#shelf.remove(document);
    });
    this.#waiting.set(document, look);
    return look;
  }

  async #merge(document: OpenDocument): Promise<void> {
    const { path, uri } = document;
    if (path === null || !this.onMerge) return;
    const file = await theirs(path);
    document.merging = file.stamp.hash;
    const base = document.saved.text.toString();
    const mine = document.shared.toString();
    this.onMerge({ uri, base, mine, theirs: file.decoded.text.toString() });
  }

  #rename(document: OpenDocument, target: Uri): void {
    const there = this.get(target);
    // What is unsaved under that name is not given up for it.
    if (there?.dirty) return;
    if (there) this.#shelf.remove(there);
    document.real = null;
    this.#shelf.rename(document, target);
  }

  #edited(uri: Uri): void {
    this.#autoSave.typed(uri);
    const document = this.get(uri);
    // The edits that clashed with the file were undone.
    const free = document?.clash === "changed" && !document.dirty;
    if (free) this.#follow(document).catch(this.#report);
  }

  #saveByItself(uri: Uri): void {
    if (this.#settings().autoSave !== "afterDelay") return;
    const document = this.get(uri);
    const wanted = document?.path != null && document.dirty && document.clash === null;
    // Why it fails is in the document's trouble.
    if (wanted && document.readOnly === null) this.save(uri).catch(() => {});
  }
}

const notOpen = (uri: Uri) => new WorkbenchError(`${printable(uri)} is not open.`);

/** Whether a path, or a folder above it, is one of these. */
export function isBelow(path: string, paths: ReadonlySet<string>): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (paths.has(at)) return true;
    if (at === dirname(at)) return false;
  }
}

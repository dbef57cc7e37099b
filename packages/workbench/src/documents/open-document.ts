import { type ChangeSpec, Text } from "@codemirror/state";
import { languageId } from "@lockstep/editor";
import { baseName, filePath, printable, type Uri } from "@lockstep/protocol";
import type { DocumentInfo } from "../contract/documents.js";
import { WorkbenchError } from "../errors.js";
import { Queue } from "../queue.js";
import type { SharedText, TextChange } from "../texts/shared-text.js";
import type { Journal } from "./journal.js";
import { type JournalHead, type Saved, writeFormat } from "./journal-record.js";
import { kindOfEnds, type LineEnd, mapEnds, sameEnds, uniform } from "./line-ends.js";
import { diffTexts } from "./text-diff.js";
import type { Decoded, Format } from "./text-format.js";

/** What a document tells whoever keeps it. */
export interface Watcher {
  /** After it is in the journal, and before any window hears of it. */
  text(document: OpenDocument, change: TextChange): void;
  info(document: OpenDocument): void;
}

export interface Opening {
  readonly uri: Uri;
  readonly place: string;
  readonly shared: SharedText;
  readonly saved: Saved;
  /** Where it differs from the saved one: unsaved work that was restored. */
  readonly format?: Format;
  readonly endsChosen?: boolean;
  readonly merging?: string | null;
  readonly damaged?: boolean;
  readonly size?: number;
  /** Where the file really is, links followed. */
  readonly real?: string;
  readonly journal: Journal;
  readonly watcher: Watcher;
}

const DAMAGED =
  "This file has bytes that are not text in its encoding, so it is shown but cannot be edited.";

/** A text that is open, what its file has, and what is unsaved between the two. */
export class OpenDocument {
  readonly shared: SharedText;
  /** Reads and writes of its file, one at a time. */
  readonly queue = new Queue();
  real: string | null;
  #uri: Uri;
  #place: string;
  #journal: Journal;
  #saved: Saved;
  #format: Format;
  /** The person chose other line ends than the file has. */
  #endsChosen = false;
  /** The text before the change that is being looked at. */
  #text: Text;
  #dirty: boolean;
  #readOnly: string | null;
  #clash: DocumentInfo["clash"] = null;
  #trouble: string | null = null;
  #size: number;
  #merging: string | null;
  /** The text is being made what the file has. */
  #following = false;
  /** A read or a write may end later: it must not touch the journal or the tabs any more. */
  #closed = false;
  readonly #watcher: Watcher;
  readonly #subscription: Disposable;

  constructor(opening: Opening) {
    const { uri, place, shared, saved, journal, watcher } = opening;
    this.shared = shared;
    this.real = opening.real ?? null;
    this.#uri = uri;
    this.#place = place;
    this.#journal = journal;
    this.#watcher = watcher;
    this.#saved = saved;
    this.#format = opening.format ?? saved.format;
    this.#text = shared.text;
    this.#readOnly = opening.damaged ? DAMAGED : null;
    this.#size = opening.size ?? shared.text.length;
    this.#merging = opening.merging ?? null;
    this.#endsChosen = opening.endsChosen ?? false;
    this.#endsChosen = this.#areEndsChosen(saved);
    this.#dirty = this.#isDirty();
    this.#subscription = shared.subscribe((change) => this.#changed(change));
    if (this.#dirty) this.#journal.start(this.#head());
  }

  get uri(): Uri {
    return this.#uri;
  }

  /** Null while it has no file. */
  get path(): string | null {
    return filePath(this.#uri);
  }

  get dirty(): boolean {
    return this.#dirty;
  }

  get readOnly(): string | null {
    return this.#readOnly;
  }

  get clash(): DocumentInfo["clash"] {
    return this.#clash;
  }

  get saved(): Saved {
    return this.#saved;
  }

  get format(): Format {
    return this.#format;
  }

  /** The hash of the file that the unsaved edits are being merged with; kept for a crash too. */
  get merging(): string | null {
    return this.#merging;
  }

  set merging(hash: string | null) {
    this.#merging = hash;
    this.#settle();
  }

  get info(): DocumentInfo {
    const path = this.path;
    const name = path === null ? this.#uri.slice("untitled:".length) : baseName(path);
    return {
      uri: this.#uri,
      label: printable(name),
      place: this.#place,
      languageId: languageId(name),
      dirty: this.#dirty,
      lineEnds: kindOfEnds(this.#format.ends),
      encoding: this.#format.encoding,
      readOnly: this.#readOnly,
      clash: this.#clash,
      trouble: this.#trouble,
      size: this.#size,
    };
  }

  edit(changes: ChangeSpec, by?: string): void {
    if (this.#readOnly !== null) throw new WorkbenchError(this.#readOnly);
    this.shared.edit(changes, by);
  }

  setLineEnds(usual: LineEnd): void {
    if (this.#readOnly !== null) throw new WorkbenchError(this.#readOnly);
    this.#format = { ...this.#format, ends: uniform(usual) };
    this.#endsChosen = !sameEnds(this.#format.ends, this.#saved.format.ends);
    this.#settle();
  }

  /** Takes what the file has, and drops what was unsaved. */
  adopt(decoded: Decoded, file: { stamp: Saved["stamp"]; size: number }, by: string): void {
    this.#following = true;
    try {
      const { text } = this.shared;
      if (!text.eq(decoded.text)) this.shared.edit(diffTexts(text, decoded.text), by);
    } finally {
      this.#following = false;
    }
    this.#saved = { text: this.shared.text, format: decoded.format, stamp: file.stamp };
    this.#format = decoded.format;
    this.#endsChosen = false;
    this.#size = file.size;
    this.#readOnly = decoded.damaged ? DAMAGED : null;
    this.#clash = null;
    this.#trouble = null;
    this.#settle();
  }

  /** The file has this now; what was typed meanwhile is unsaved. */
  wasSaved(saved: Saved, size: number): void {
    this.#size = size;
    this.#trouble = null;
    this.#rebase(saved);
  }

  /** The unsaved edits are meant to replace what the file has now. */
  keepMine({ text, format, stamp }: Saved): void {
    this.#rebase({ text, format, stamp });
  }

  /** The file was touched, and its content is still what we know. */
  confirm(stamp: Saved["stamp"]): void {
    this.#saved = { ...this.#saved, stamp };
    this.set({ clash: null, refusal: null });
  }

  /** What the person has to know: a clash, a failed save, a file that cannot be shown any more. */
  set(change: {
    readonly clash?: DocumentInfo["clash"];
    readonly trouble?: string | null;
    readonly refusal?: string | null;
  }): void {
    if (this.#closed) return;
    if (change.clash !== undefined) this.#clash = change.clash;
    if (change.trouble !== undefined) this.#trouble = change.trouble;
    if (change.refusal !== undefined && this.#readOnly !== DAMAGED) this.#readOnly = change.refusal;
    this.#watcher.info(this);
  }

  /** It goes by another name from now on. */
  rename(uri: Uri, place: string, journal: Journal): void {
    this.#uri = uri;
    this.#place = place;
    const old = this.#journal;
    this.#journal = journal;
    // Where the new one cannot be begun, the old one still has the work, if under the old name.
    if (!this.#dirty || journal.start(this.#head())) old.remove();
    else old.close();
  }

  /** Without `keep` what is unsaved is given up. */
  close(keep: boolean): void {
    this.#closed = true;
    this.#subscription[Symbol.dispose]();
    if (keep) this.#journal.close();
    else this.#journal.remove();
  }

  #rebase(saved: Saved): void {
    this.#saved = saved;
    this.#endsChosen = this.#areEndsChosen(saved);
    this.#clash = null;
    this.#settle();
  }

  /** After anything but an edit: what is unsaved now is in the journal, and nothing else. */
  #settle(): void {
    if (this.#closed) return;
    this.#text = this.shared.text;
    this.#dirty = this.#isDirty();
    if (this.#dirty) this.#journal.start(this.#head());
    else this.#journal.remove();
    this.#watcher.info(this);
  }

  /** Edits can change which ends a text has here and there; the usual ones only a person changes. */
  #areEndsChosen({ format: { ends } }: Saved): boolean {
    const now = this.#format.ends;
    return now.usual !== ends.usual || (this.#endsChosen && !sameEnds(now, ends));
  }

  #isDirty(): boolean {
    return this.#endsChosen || !this.shared.text.eq(this.#saved.text);
  }

  #changed(change: TextChange): void {
    const before = { text: this.#text, version: change.version, format: this.#format };
    this.#text = this.shared.text;
    if (this.#format.ends.odd.size > 0) {
      this.#format = { ...this.#format, ends: mapEnds(this.#format.ends, change.changes) };
    }
    if (!this.#following) this.#keepSafe(before, change);
    this.#watcher.text(this, change);
  }

  #keepSafe(before: { text: Text; version: number; format: Format }, change: TextChange): void {
    const was = { dirty: this.#dirty, ends: kindOfEnds(before.format.ends) };
    this.#dirty = this.#isDirty();
    if (this.#dirty) {
      const { version, updates } = change;
      if (!this.#journal.isOpen && this.#journal.mayStart) this.#journal.start(this.#head(before));
      this.#journal.append({ version, updates: [...updates] });
      if (this.#journal.isLong) this.#journal.start(this.#head());
    } else {
      this.#format = this.#saved.format;
      this.#trouble = null;
      this.#journal.remove();
    }
    const now = { dirty: this.#dirty, ends: kindOfEnds(this.#format.ends) };
    if (was.dirty !== now.dirty || was.ends !== now.ends) this.#watcher.info(this);
  }

  #head(
    at = { text: this.shared.text, version: this.shared.version, format: this.#format },
  ): Omit<JournalHead, "journal"> {
    const { text, format, stamp } = this.#saved;
    return {
      uri: this.#uri,
      epoch: this.shared.epoch,
      version: at.version,
      text: at.text.toString(),
      format: writeFormat(at.format),
      saved: {
        text: at.text.eq(text) ? null : text.toString(),
        format: writeFormat(format),
        stamp,
      },
      endsChosen: this.#endsChosen,
      merging: this.#merging,
    };
  }
}

/** A text without a file. */
export const NO_FILE: Saved = {
  text: Text.empty,
  format: { encoding: "utf-8", ends: uniform("lf") },
  stamp: null,
};

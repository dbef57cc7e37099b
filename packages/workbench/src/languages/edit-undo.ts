import { basename } from "node:path";
import { ChangeSet, type ChangeSpec, type Text } from "@codemirror/state";
import { filePath, printable, type Uri } from "@lockstep/protocol";
import type { Documents } from "../documents/documents.js";
import { WorkbenchError } from "../errors.js";
import type { Files } from "../files/files.js";
import type { UndoStep } from "../files/operations.js";

interface Edited {
  readonly uri: Uri;
  readonly after: Text;
  readonly back: ChangeSet;
}

/** The way back from an edit of many texts: of documents, whichever window shows them, and of files. */
export class EditUndo {
  readonly #documents: Documents;
  readonly #files: Files;
  readonly #edited: Edited[] = [];
  #rewritten: UndoStep | null = null;
  /** Files were made, moved or deleted, too: each of those is a step of its own. */
  isPartial = false;

  constructor(documents: Documents, files: Files) {
    this.#documents = documents;
    this.#files = files;
  }

  /** This is about to be changed in an open document. */
  edits(uri: Uri, before: Text, spec: ChangeSpec): void {
    const changes = ChangeSet.of(spec, before.length);
    this.#edited.push({ uri, after: changes.apply(before), back: changes.invert(before) });
  }

  rewrote(step: UndoStep | null): void {
    this.#rewritten = step;
  }

  /** All of it or, where a document is not as it was left, nothing, with a sentence. */
  async takeBack(): Promise<void> {
    for (const { uri, after } of this.#edited) {
      if (this.#documents.get(uri)?.shared.text.eq(after)) continue;
      const name = printable(basename(filePath(uri) ?? uri));
      throw new WorkbenchError(`${name} has changed since: rename it back instead.`);
    }
    for (const { uri, back } of this.#edited) this.#documents.edit(uri, back);
    if (this.#rewritten) await this.#files.operations.undo(this.#rewritten);
  }
}

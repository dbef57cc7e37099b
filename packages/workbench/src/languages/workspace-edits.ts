import { basename } from "node:path";
import { type ChangeSpec, Text } from "@codemirror/state";
import { filePath, parseUri, printable, type Uri } from "@lockstep/protocol";
import type { Changed } from "../contract/languages.js";
import type { Documents } from "../documents/documents.js";
import { WorkbenchError } from "../errors.js";
import type { Files } from "../files/files.js";
import type { Change } from "../files/replacing.js";
import type { EditUndo } from "./edit-undo.js";
import { offsetAt } from "./followed-text.js";
import * as lsp from "./lsp.js";

/** Files of one edit. */
const MOST_FILES = 10_000;

export interface EditOrder {
  /** For undo, such as "Rename in". */
  readonly verb: string;
  /** The versions that the server had when it was asked. */
  readonly versions: ReadonlyMap<Uri, number>;
  /** Learns the way back. */
  readonly undo?: EditUndo;
}

type Step =
  | { readonly kind: "edit"; readonly uri: Uri; readonly edits: readonly lsp.LspTextEdit[] }
  | { readonly kind: "create"; readonly uri: Uri; readonly skip: boolean }
  | { readonly kind: "rename"; readonly uri: Uri; readonly to: Uri }
  | { readonly kind: "delete"; readonly uri: Uri };

/**
 * Carries out what a server wants to change: open documents are edited and stay unsaved, other files
 * are rewritten and can be taken back. All of it is looked at before anything is changed.
 */
export class WorkspaceEdits {
  readonly #documents: Documents;
  readonly #files: Files;
  readonly #versionOf: (uri: Uri) => number | null;

  constructor(documents: Documents, files: Files, versionOf: (uri: Uri) => number | null) {
    this.#documents = documents;
    this.#files = files;
    this.#versionOf = versionOf;
  }

  async apply(edit: unknown, order: EditOrder): Promise<Changed> {
    const steps = this.#read(edit, order.versions);
    const made = new Set(steps.flatMap(madeBy));
    for (const step of steps) if (!made.has(step.uri)) await this.#check(step);
    const touched = new Set(steps.map(({ uri }) => uri));
    let edits = 0;
    if (order.undo && steps.some(({ kind }) => kind !== "edit")) order.undo.isPartial = true;
    for (const run of runs(steps)) {
      edits +=
        run.kind === "edits" ? await this.#edit(run.edits, order) : await this.#operate(run.step);
    }
    return { files: touched.size, edits };
  }

  #read(edit: unknown, versions: ReadonlyMap<Uri, number>): readonly Step[] {
    const { data } = lsp.workspaceEdit.safeParse(edit);
    if (!data) throw new WorkbenchError("The server's edit could not be understood.");
    const told = data.documentChanges ?? [];
    const steps: Step[] = [];
    for (const change of told) {
      if ("edits" in change) {
        const { uri, version } = change.textDocument;
        steps.push(this.#editStep(uri, version ?? null, change.edits, versions));
      } else {
        steps.push(fileStep(change));
      }
    }
    if (told.length === 0) {
      for (const [uri, edits] of Object.entries(data.changes ?? {}))
        steps.push(this.#editStep(uri, null, edits, versions));
    }
    if (steps.length > MOST_FILES) {
      throw new WorkbenchError(`The edit has ${steps.length} parts, which is too much at once.`);
    }
    return steps;
  }

  /** A text that has changed since the server looked at it would get its edits in the wrong places. */
  #editStep(
    name: string,
    version: number | null,
    edits: readonly lsp.LspTextEdit[],
    versions: ReadonlyMap<Uri, number>,
  ): Step {
    const uri = uriOf(name);
    const now = this.#versionOf(uri);
    const expected = version ?? versions.get(uri) ?? now;
    if (now !== null && expected !== now) throw moved(uri);
    return { kind: "edit", uri, edits };
  }

  async #check(step: Step): Promise<void> {
    const document = this.#documents.get(step.uri);
    // Also of an open document: what is outside of the workspace is left alone.
    if (filePath(step.uri) !== null) await this.#files.reach(step.uri);
    if (step.kind === "edit" && document?.readOnly) throw new WorkbenchError(document.readOnly);
    if (step.kind === "delete" && document?.dirty) {
      throw new WorkbenchError(`${document.info.label} has unsaved edits: save or close it first.`);
    }
  }

  /** Open documents first: nothing is awaited between the look at their versions and their edits. */
  async #edit(edits: ReadonlyMap<Uri, readonly lsp.LspTextEdit[]>, order: EditOrder) {
    const closed = new Map<Uri, (text: string) => Promise<readonly Change[]>>();
    const open: [Uri, readonly Change[]][] = [];
    for (const [uri, wanted] of edits) {
      const document = this.#documents.get(uri);
      if (document) {
        const expected = order.versions.get(uri);
        if (expected !== undefined && this.#versionOf(uri) !== expected) throw moved(uri);
        open.push([uri, changesIn(document.shared.text, wanted, uri)]);
      } else {
        closed.set(uri, async (text) => changesIn(Text.of(text.split("\n")), wanted, uri));
      }
    }
    let count = 0;
    for (const [uri, changes] of open) {
      const before = this.#documents.get(uri)?.shared.text;
      if (before) order.undo?.edits(uri, before, changes as ChangeSpec);
      this.#documents.edit(uri, changes as ChangeSpec);
      count += changes.length;
    }
    if (closed.size === 0) return count;
    const rewritten = await this.#files.rewrite(order.verb, closed);
    order.undo?.rewrote(rewritten.step);
    return count + rewritten.changes;
  }

  async #operate(step: Exclude<Step, { kind: "edit" }>): Promise<number> {
    const { operations } = this.#files;
    if (step.kind === "rename") await operations.rename(step.uri, step.to);
    else if (step.kind === "delete") await operations.delete([step.uri]);
    else if (!step.skip || !(await this.#exists(step.uri)))
      await operations.create(step.uri, "file");
    return 1;
  }

  async #exists(uri: Uri): Promise<boolean> {
    return this.#files.reach(uri).then(
      () => true,
      () => false,
    );
  }
}

/** What is not there before the edit. */
const madeBy = (step: Step): readonly Uri[] => {
  if (step.kind === "create") return [step.uri];
  return step.kind === "rename" ? [step.to] : [];
};

type Run =
  | { readonly kind: "edits"; readonly edits: ReadonlyMap<Uri, readonly lsp.LspTextEdit[]> }
  | { readonly kind: "operation"; readonly step: Exclude<Step, { kind: "edit" }> };

/** Edits of texts that follow each other are one run; an operation on a file is one by itself. */
function* runs(steps: readonly Step[]): Iterable<Run> {
  let edits = new Map<Uri, readonly lsp.LspTextEdit[]>();
  for (const step of steps) {
    if (step.kind === "edit") {
      edits.set(step.uri, [...(edits.get(step.uri) ?? []), ...step.edits]);
      continue;
    }
    if (edits.size > 0) yield { kind: "edits", edits };
    edits = new Map();
    yield { kind: "operation", step };
  }
  if (edits.size > 0) yield { kind: "edits", edits };
}

type FileChange = Extract<
  NonNullable<ReturnType<typeof lsp.workspaceEdit.parse>["documentChanges"]>[number],
  { kind: string }
>;

function fileStep(change: FileChange): Step {
  if (change.kind === "rename")
    return { kind: "rename", uri: uriOf(change.oldUri), to: uriOf(change.newUri) };
  if (change.kind === "delete") return { kind: "delete", uri: uriOf(change.uri) };
  if (change.options?.overwrite) {
    throw new WorkbenchError("The edit would overwrite a file, so nothing was changed.");
  }
  const skip = change.options?.ignoreIfExists === true;
  return { kind: "create", uri: uriOf(change.uri), skip };
}

/** Fails where two edits overlap or one is beyond the text: they were made for another one. */
export function changesIn(
  text: Text,
  edits: readonly lsp.LspTextEdit[],
  uri: Uri,
): readonly Change[] {
  const changes = edits
    .map(({ range, newText }) => {
      if (range.start.line > text.lines) throw moved(uri);
      return { from: offsetAt(text, range.start), to: offsetAt(text, range.end), insert: newText };
    })
    .sort((a, b) => a.from - b.from || a.to - b.to);
  let end = 0;
  for (const { from, to } of changes) {
    if (from < end || to < from) throw moved(uri);
    end = to;
  }
  return changes;
}

function uriOf(name: string): Uri {
  const uri = parseUri(name);
  if (!uri) throw new WorkbenchError(`The edit is of ${printable(name)}, which is not a file.`);
  return uri;
}

const moved = (uri: Uri) =>
  new WorkbenchError(
    `${basename(filePath(uri) ?? uri)} has changed since the server looked at it: try again.`,
  );

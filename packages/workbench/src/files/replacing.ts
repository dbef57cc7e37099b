import { basename } from "node:path";
import { ChangeSet, type ChangeSpec } from "@codemirror/state";
import { filePath, printable, type Uri } from "@lockstep/protocol";
import type { SearchQuery } from "../contract/files.js";
import { refusal } from "../disk-errors.js";
import { hashOf, readDisk } from "../documents/disk-file.js";
import { mapEnds } from "../documents/line-ends.js";
import type { Rescues } from "../documents/rescue.js";
import { FileChanged, saveFile } from "../documents/save-file.js";
import { decode, encode } from "../documents/text-format.js";
import { WorkbenchError } from "../errors.js";
import type { Store } from "../state/store.js";
import type { Fence } from "./fence.js";
import { type Match, MatchReader } from "./match-reader.js";
import type { OpenDocuments } from "./open-documents.js";
import type { Operations, UndoStep } from "./operations.js";
import { ripgrep } from "./ripgrep.js";
import { patternArgs, replacementTemplate } from "./search-pattern.js";
import type { Trash, Trashed } from "./trash.js";

/** So many files are worked on at once. */
const AT_ONCE = 4;
/** A file that somebody writes all the time is given up after so many tries. */
const TRIES = 3;
/** A pattern that takes longer for one file is too hard. */
const LONGEST_MS = 30_000;

export interface ReplaceSurroundings {
  readonly cwd: string;
  readonly fence: Fence;
  readonly store: Store;
  readonly documents: Pick<OpenDocuments, "get" | "edit">;
  readonly operations: Operations;
  readonly trash: Trash;
  readonly rescues: Rescues;
}

export interface ReplaceOrder {
  readonly query: SearchQuery;
  readonly replacement: string;
  readonly uris: readonly Uri[];
}

/** A file that was rewritten: the text it had, and what it is now. */
export interface Rewritten {
  readonly path: string;
  readonly before: Trashed;
  readonly hash: string;
}

/**
 * Replaces in the texts as they are now, whatever the search showed. Open documents are edited;
 * files are rewritten whole, and that can be taken back. Where it fails, a notice says which.
 */
export async function replaceInFiles(
  { query, replacement, uris }: ReplaceOrder,
  around: ReplaceSurroundings,
): Promise<{ files: number; matches: number }> {
  const { store, operations } = around;
  const find = finder(query, replacement, around.cwd);
  const rewritten: Rewritten[] = [];
  const failed: string[] = [];
  const queue = [...new Set(uris)];
  const total = queue.length;
  let files = 0;
  let matches = 0;
  let done = 0;
  const work = async () => {
    for (let uri = queue.shift(); uri !== undefined; uri = queue.shift()) {
      try {
        const count = await replaceInOne(uri, find, around, rewritten);
        if (count > 0) files++;
        matches += count;
      } catch (problem) {
        if (!(problem instanceof WorkbenchError)) throw problem;
        failed.push(problem.message);
      }
      done++;
      const progress = { id: WORK, title: "Replacing in files", progress: done / total };
      if (total > 50 && done % 20 === 0) store.put("work", WORK, progress);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    store.remove("work", WORK);
    if (rewritten.length > 0) operations.remember(undoStep("Replace in", rewritten, around));
  }
  const [reason] = failed;
  if (reason !== undefined && failed.length === total) throw new WorkbenchError(reason);
  if (reason !== undefined) {
    const others = failed.length > 1 ? ` ${failed.length - 1} more were left as they are.` : "";
    store.put("notices", WORK, { id: WORK, severity: "warning", text: reason + others });
  }
  return { files, matches };
}

const WORK = "files.replace";

async function replaceInOne(
  uri: Uri,
  find: Find,
  around: ReplaceSurroundings,
  rewritten: Rewritten[],
): Promise<number> {
  const { documents, store, fence } = around;
  const open = documents.get(uri);
  if (!open) return replaceInFile(await fence.reach(uri), find, around, rewritten);
  const path = filePath(uri);
  if (path !== null) await fence.reach(uri);
  const why = store.state.documents[uri]?.readOnly;
  if (why) throw new WorkbenchError(why);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const { version } = open.shared;
    const changes = await find(open.shared.toString());
    if (open.shared.version !== version) continue;
    if (changes.length > 0) documents.edit(uri, changes);
    return changes.length;
  }
  throw new WorkbenchError(`${basename(path ?? uri)} is being edited: replace in it again.`);
}

/** Writes what `find` would like to change into a file that is not open; answers how much that is. */
export async function replaceInFile(
  path: string,
  find: Find,
  { trash, rescues }: Pick<ReplaceSurroundings, "trash" | "rescues">,
  rewritten: Rewritten[],
): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const file = await readDisk(path);
    if (file.kind === "absent") return 0;
    if (file.kind === "refused") throw new WorkbenchError(file.why);
    const { text, format, damaged } = decode(file.bytes);
    if (damaged) throw new WorkbenchError(`${basename(path)} is not in a known encoding.`);
    const found = await find(text.toString());
    if (found.length === 0) return 0;
    const changes = ChangeSet.of(found, text.length);
    const ends = mapEnds(format.ends, changes);
    const bytes = encode(changes.apply(text), { ...format, ends });
    const before = await trash.keep(path, file.bytes);
    try {
      await saveFile({ path, bytes, known: file.stamp, rescues });
    } catch (problem) {
      await trash.forget(before);
      if (problem instanceof FileChanged) continue;
      throw refusal(`${printable(path)} was not changed`, problem);
    }
    rewritten.push({ path, before, hash: hashOf(bytes) });
    return found.length;
  }
  throw new WorkbenchError(`${basename(path)} changes all the time: replace in it again.`);
}

export type Change = Extract<ChangeSpec, { from: number }>;
export type Find = (text: string) => Promise<readonly Change[]>;

/** The changes that a text needs, by ripgrep, so that they are what the search has shown. */
function finder(query: SearchQuery, replacement: string, cwd: string): Find {
  const template = query.regex ? [`--replace=${replacementTemplate(replacement)}`] : [];
  const args = ["--json", "--crlf", ...template, ...patternArgs(query), "-"];
  return async (text) => {
    const found: Match[] = [];
    const reader = new MatchReader(Number.POSITIVE_INFINITY, ({ matches }) => {
      for (const match of matches) found.push(match);
    });
    const { code } = await ripgrep(args, {
      cwd,
      input: text,
      signal: AbortSignal.timeout(LONGEST_MS),
      onData: (chunk) => reader.push(chunk),
    });
    if (code === null) throw new WorkbenchError("The pattern takes too long: make it simpler.");
    return asChanges(text, found, replacement);
  };
}

/** Bytes become UTF-16, counted from one match to the next. */
function asChanges(text: string, found: readonly Match[], replacement: string): readonly Change[] {
  const bytes = Buffer.from(text);
  let byte = 0;
  let at = 0;
  const position = (to: number) => {
    at += bytes.subarray(byte, to).toString().length;
    byte = to;
    return at;
  };
  return found.map((match) => {
    const from = position(match.from);
    return { from, to: position(match.to), insert: match.replacement ?? replacement };
  });
}

/** A file that was changed again stays as it is; a notice says so. */
export function undoStep(
  verb: string,
  rewritten: readonly Rewritten[],
  { trash, rescues, fence, store }: ReplaceSurroundings,
): UndoStep {
  const [first] = rewritten;
  const what = first && rewritten.length === 1 ? basename(first.path) : `${rewritten.length} files`;
  const back = async () => {
    const changed: string[] = [];
    for (const { path, before, hash } of rewritten) {
      const file = await readDisk(path);
      if (file.kind !== "file" || file.stamp.hash !== hash) changed.push(fence.relative(path));
      else await saveFile({ path, bytes: await trash.read(before), known: file.stamp, rescues });
    }
    if (changed.length === 0) return;
    const text = `These files have changed since the replacement and stay as they are: ${changed.slice(0, 10).join(", ")}.`;
    store.put("notices", WORK, { id: WORK, severity: "warning", text });
  };
  const needs = rewritten.map(({ before }) => before);
  return { label: `${verb} ${what}`, needs, back };
}

import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { ChangeSpec, Text } from "@codemirror/state";
import { printable } from "@lockstep/protocol";
import { whyUnsaved } from "../disk-errors.js";
import { WorkbenchError } from "../errors.js";
import type { Saved } from "./journal-record.js";
import type { OpenDocument } from "./open-document.js";
import type { Rescues } from "./rescue.js";
import { FileChanged, saveFile } from "./save-file.js";
import { encode } from "./text-format.js";

export interface SaveWish {
  readonly overwrite: boolean;
  readonly trim: boolean;
  readonly rescues: Rescues;
}

/** What a file has now. */
interface Written {
  readonly saved: Saved;
  readonly size: number;
}

/** Writes a document to its file. What is typed meanwhile stays unsaved. */
export async function saveDocument(document: OpenDocument, wish: SaveWish): Promise<void> {
  const { path, saved } = document;
  if (path === null) {
    throw new WorkbenchError(`${document.info.label} has no file yet: save it under a name.`);
  }
  if (!document.dirty && document.clash === null) return;
  const written = await write(document, path, wish.overwrite ? "any" : saved.stamp, wish);
  document.wasSaved(written.saved, written.size);
}

/**
 * Writes it to another file, which must not exist unless it may be overwritten. Folders are made. The
 * document itself is as unsaved as before: whoever makes it that file's tells it what was written.
 */
export async function saveDocumentAs(
  document: OpenDocument,
  path: string,
  wish: SaveWish,
): Promise<Written> {
  // Why a folder cannot be made is what writing says next.
  await mkdir(dirname(path), { recursive: true }).catch(() => {});
  return write(document, path, wish.overwrite ? "any" : null, wish);
}

async function write(
  document: OpenDocument,
  path: string,
  known: Parameters<typeof saveFile>[0]["known"],
  { trim, rescues }: SaveWish,
): Promise<Written> {
  if (document.readOnly !== null) throw new WorkbenchError(document.readOnly);
  tidy(document, trim);
  const { format } = document;
  const { text } = document.shared;
  const bytes = encode(text, format);
  const own = path === document.path;
  try {
    const stamp = await saveFile({ path, bytes, known, rescues });
    return { saved: { text, format, stamp }, size: bytes.length };
  } catch (problem) {
    if (problem instanceof FileChanged) throw changed(document, path, problem.how, own);
    const why = whyUnsaved(path, problem);
    if (own) document.set({ trouble: why });
    throw new WorkbenchError(why);
  }
}

function changed(
  document: OpenDocument,
  path: string,
  how: "changed" | "deleted",
  own: boolean,
): WorkbenchError {
  const name = printable(path);
  if (!own) return new WorkbenchError(`There is already a file called ${name}.`);
  document.set({ clash: how });
  return new WorkbenchError(
    how === "deleted"
      ? `${name} was deleted since you opened it: choose whether to keep yours.`
      : `${name} has changed on disk since you opened it: choose which text to keep.`,
  );
}

/** Half a character cannot be written; blanks at the end of a line go where the settings say so. */
function tidy(document: OpenDocument, trim: boolean): void {
  const { text } = document.shared;
  const changes = [...(trim ? trailingBlanks(text) : []), ...brokenCharacters(text)];
  if (changes.length > 0) document.edit(changes, "save");
}

function trailingBlanks(text: Text): ChangeSpec[] {
  const changes: ChangeSpec[] = [];
  let start = 0;
  for (const line of text.iterLines()) {
    let kept = line.length;
    while (kept > 0 && (line[kept - 1] === " " || line[kept - 1] === "\t")) kept--;
    if (kept < line.length) changes.push({ from: start + kept, to: start + line.length });
    start += line.length + 1;
  }
  return changes;
}

function brokenCharacters(text: Text): ChangeSpec[] {
  const string = text.toString();
  if (string.isWellFormed()) return [];
  const fixed = string.toWellFormed();
  const changes: ChangeSpec[] = [];
  for (let at = 0; at < string.length; at++) {
    if (string.charCodeAt(at) === fixed.charCodeAt(at)) continue;
    changes.push({ from: at, to: at + 1, insert: "\ufffd" });
  }
  return changes;
}

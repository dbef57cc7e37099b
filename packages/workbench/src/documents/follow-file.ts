import { realpath } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { Text } from "@codemirror/state";
import { printable } from "@lockstep/protocol";
import { WorkbenchError } from "../errors.js";
import { type DiskFile, isUntouched, readDisk } from "./disk-file.js";
import { NO_FILE, type OpenDocument } from "./open-document.js";
import { type Decoded, decode } from "./text-format.js";

/**
 * Many programs empty a file and then write it, or delete it and make it again. What looks empty or
 * gone is looked at again after this time before it is believed.
 */
const GRACE_MS = 80;

/** Both sides of a clash, for a merge. */
export interface Clash {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/**
 * Looks at the file of a document: a document without unsaved edits follows it, one with them gets a
 * clash. Answers "gone" where there is nothing left to show.
 */
export async function followFile(document: OpenDocument): Promise<"open" | "gone"> {
  const { path } = document;
  if (path === null) return "open";
  if (document.saved.stamp && (await isUntouched(path, document.saved.stamp))) {
    document.confirm(document.saved.stamp);
    document.real ??= await realpath(path).catch(() => null);
    return "open";
  }
  const { saved, clash } = document;
  const isKnownEmpty = saved.stamp === null || saved.stamp.size === 0 || clash === "deleted";
  const disk = await (isKnownEmpty ? readDisk(path) : readSettled(path));
  // Nothing is awaited from here on, so that no edit comes between.
  if (disk.kind === "file") return followContent(document, disk);
  if (disk.kind === "refused" && disk.reason !== "folder") {
    if (document.dirty) document.set({ clash: "changed" });
    else document.set({ refusal: disk.why });
    return "open";
  }
  if (document.saved.stamp === null || document.clash === "deleted") return "open";
  if (!document.dirty) return "gone";
  document.set({ clash: "deleted" });
  return "open";
}

function followContent(document: OpenDocument, disk: DiskFile & { kind: "file" }): "open" {
  document.real = disk.real;
  if (disk.stamp.hash === document.saved.stamp?.hash) {
    document.confirm(disk.stamp);
    return "open";
  }
  const decoded = decode(disk.bytes);
  if (document.dirty && !decoded.text.eq(document.shared.text)) document.set({ clash: "changed" });
  else document.adopt(decoded, { stamp: disk.stamp, size: disk.bytes.length }, "disk");
  return "open";
}

/** What a file that had something has now: see {@link GRACE_MS}. */
export async function readSettled(path: string): Promise<DiskFile> {
  const disk = await readDisk(path);
  const passing = disk.kind === "file" ? disk.bytes.length === 0 : disk.kind === "absent";
  if (!passing) return disk;
  await delay(GRACE_MS);
  return readDisk(path);
}

/** The file's text again. For a text without a file, nothing. */
export async function revert(document: OpenDocument): Promise<void> {
  const { path } = document;
  const empty = { text: Text.empty, format: document.format, damaged: false };
  if (path === null) return document.adopt(empty, { stamp: null, size: 0 }, "revert");
  const { decoded, stamp, size } = await theirs(path);
  document.adopt(decoded, { stamp, size }, "revert");
}

/** The next save replaces what the file has now. */
export async function keepMine(document: OpenDocument): Promise<void> {
  const { path } = document;
  if (path === null) return;
  const disk = await readDisk(path);
  if (disk.kind === "absent") return document.keepMine({ ...NO_FILE, format: document.format });
  if (disk.kind === "refused") throw new WorkbenchError(disk.why);
  const { text, format } = decode(disk.bytes);
  document.keepMine({ text, format, stamp: disk.stamp });
}

/** The merge is in the text: a save may replace the file that was merged, and no other. */
export async function endMerge(document: OpenDocument): Promise<void> {
  const { path, merging } = document;
  if (path === null || merging === null) return;
  const disk = await readDisk(path);
  document.merging = null;
  if (disk.kind !== "file" || disk.stamp.hash !== merging) return;
  const { text, format } = decode(disk.bytes);
  document.keepMine({ text, format, stamp: disk.stamp });
}

/** What the file has now, or a sentence why nobody can say. */
export async function theirs(
  path: string,
): Promise<{ decoded: Decoded; stamp: (DiskFile & { kind: "file" })["stamp"]; size: number }> {
  const disk = await readDisk(path);
  if (disk.kind === "refused") throw new WorkbenchError(disk.why);
  if (disk.kind === "absent") {
    throw new WorkbenchError(`${printable(path)} is not there any more: save it to make it again.`);
  }
  return { decoded: decode(disk.bytes), stamp: disk.stamp, size: disk.bytes.length };
}

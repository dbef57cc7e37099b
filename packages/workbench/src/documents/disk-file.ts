import { createHash } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { printable } from "@lockstep/protocol";
import type { Unshown } from "../contract/documents.js";
import { hasCode, whyUnread } from "../disk-errors.js";
import { type FileKind, KIND_BYTES, kindOf } from "./file-kind.js";
import { isBinary } from "./text-format.js";

/** Bytes. */
export const LARGEST_FILE = 50 * 1024 * 1024;

/**
 * A file's clock ticks every few milliseconds. One that was written so shortly before it was read may
 * be written again without a sign of it, so then only its content can tell.
 */
const TICK_MS = 100;

/** What was seen of a file, to know later whether it is still the same. */
export interface Stamp {
  /**
   * Nanoseconds since 1970, and the inode: bigints as text. It is the time that no program can set:
   * some write a file and give it back its old time of modification.
   */
  readonly changed: string;
  readonly inode: string;
  readonly size: number;
  readonly hash: string;
  /** Equal times and sizes mean equal content. */
  readonly sure: boolean;
}

export type DiskFile =
  | { readonly kind: "file"; readonly bytes: Buffer; readonly stamp: Stamp; readonly real: string }
  | { readonly kind: "absent" }
  | RefusedFile;

/** It is there and cannot be shown as text. */
export interface RefusedFile {
  readonly kind: "refused";
  readonly reason: Exclude<Unshown["reason"], "absent"> | "folder";
  /** A sentence. */
  readonly why: string;
  readonly what: FileKind | null;
  /** Null where nobody can say. */
  readonly stats: BigIntStats | null;
}

/** Reads a text file, links followed. It never waits for a pipe or a device. */
export async function readDisk(path: string): Promise<DiskFile> {
  let stats: BigIntStats | null = null;
  try {
    stats = await stat(path, { bigint: true });
    if (!stats.isFile()) return notOrdinary(path, stats);
    // Between the two calls a pipe may have taken its place: without O_NONBLOCK this would wait.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return await readHandle(path, handle);
    } finally {
      await handle.close();
    }
  } catch (problem) {
    if (hasCode(problem, "ENOENT", "ENOTDIR")) return { kind: "absent" };
    return refused("unreadable", whyUnread(path, problem), stats);
  }
}

/** Whether a file is surely as it was, by a look at its times only. */
export async function isUntouched(path: string, stamp: Stamp): Promise<boolean> {
  if (!stamp.sure) return false;
  const stats = await stat(path, { bigint: true }).catch(() => null);
  return stats !== null && isSame(stats, stamp);
}

export function stampOf(stats: BigIntStats, bytes: Buffer): Stamp {
  return {
    changed: String(stats.ctimeNs),
    inode: String(stats.ino),
    size: Number(stats.size),
    hash: hashOf(bytes),
    sure: Date.now() - Number(stats.ctimeMs) > TICK_MS,
  };
}

export const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

const isSame = (stats: BigIntStats, stamp: Stamp): boolean =>
  String(stats.ctimeNs) === stamp.changed &&
  String(stats.ino) === stamp.inode &&
  Number(stats.size) === stamp.size;

async function readHandle(path: string, handle: FileHandle): Promise<DiskFile> {
  let stats = await handle.stat({ bigint: true });
  if (!stats.isFile()) return notOrdinary(path, stats);
  // Again if somebody wrote while it was read, but not for ever: a log is written all the time.
  for (let attempt = 0; ; attempt++) {
    if (stats.size > LARGEST_FILE) return tooLarge(path, stats, await readHead(handle));
    const bytes = await readAll(handle);
    if (bytes.length > LARGEST_FILE) return tooLarge(path, stats, bytes);
    const now = await handle.stat({ bigint: true });
    if (attempt < 5 && (now.mtimeNs !== stats.mtimeNs || now.size !== stats.size)) {
      stats = now;
      continue;
    }
    if (isBinary(bytes)) return binary(path, now, bytes);
    return { kind: "file", bytes, stamp: stampOf(now, bytes), real: await realpath(path) };
  }
}

/** From the start, however often it is called, and never much more than may be shown. */
async function readAll(handle: FileHandle): Promise<Buffer> {
  const { size } = await handle.stat();
  const parts: Buffer[] = [];
  let length = 0;
  while (length <= LARGEST_FILE) {
    const part = Buffer.allocUnsafe(Math.max(size - length + 1, 64 * 1024));
    const { bytesRead } = await handle.read(part, 0, part.length, length);
    if (bytesRead === 0) break;
    parts.push(part.subarray(0, bytesRead));
    length += bytesRead;
  }
  const [only] = parts;
  return only && parts.length === 1 ? only : Buffer.concat(parts);
}

async function readHead(handle: FileHandle): Promise<Buffer> {
  const head = Buffer.alloc(KIND_BYTES);
  const { bytesRead } = await handle.read(head, 0, head.length, 0);
  return head.subarray(0, bytesRead);
}

function refused(
  reason: RefusedFile["reason"],
  why: string,
  stats: BigIntStats | null,
  head: Buffer = Buffer.alloc(0),
): RefusedFile {
  return { kind: "refused", reason, why, what: kindOf(head), stats };
}

function notOrdinary(path: string, stats: BigIntStats): RefusedFile {
  const name = printable(path);
  if (stats.isDirectory())
    return refused("folder", `${name} is a folder: open a file in it.`, null);
  const why = `${name} is not an ordinary file, so it cannot be shown as text.`;
  return refused("special", why, null);
}

function tooLarge(path: string, stats: BigIntStats, head: Buffer): RefusedFile {
  const why = `${printable(path)} is larger than 50 MB, the most that can be opened here.`;
  return refused("large", why, stats, head);
}

function binary(path: string, stats: BigIntStats, bytes: Buffer): RefusedFile {
  const why = `${printable(path)} is a binary file, so it cannot be shown as text.`;
  return refused("binary", why, stats, bytes);
}

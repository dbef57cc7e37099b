import { type BigIntStats, constants } from "node:fs";
import {
  access,
  link,
  lstat,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  stat,
  unlink,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { printable } from "@lockstep/protocol";
import { hasCode, isSystemError } from "../disk-errors.js";
import { WorkbenchError } from "../errors.js";
import { hashOf, isUntouched, type Stamp, stampOf } from "./disk-file.js";
import { draftName, overwrite, type Rescues } from "./rescue.js";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY, W_OK } = constants;

export interface SaveOrder {
  readonly path: string;
  readonly bytes: Buffer;
  /** What the file has to be still; null: it must not exist; "any": whatever it is. */
  readonly known: Stamp | null | "any";
  readonly rescues: Rescues;
}

/** The file is not what it was; nothing was written. */
export class FileChanged extends Error {
  constructor(readonly how: "changed" | "deleted") {
    super(`The file was ${how}.`);
  }
}

/**
 * Writes a file whole or not at all: beside it, then in its place. Mode and owner stay, and a link
 * stays a link to the file that is written. Where that cannot be (other hard links, a folder that
 * takes no file, an owner that cannot be given), it is written in place, with both contents in the
 * rescues until it is done.
 */
export async function saveFile(order: SaveOrder): Promise<Stamp> {
  const path = await findTarget(order.path);
  const stats = await stat(path, { bigint: true }).catch(absent);
  if (stats && !stats.isFile()) {
    throw new WorkbenchError(
      `${printable(path)} is not an ordinary file: save under another name.`,
    );
  }
  if (!(await isAsKnown(path, stats, order))) return stampNow(path, order.bytes);
  if (!stats) return replace(path, null, order);
  await access(path, W_OK);
  if (stats.nlink > 1n) return writeInPlace(path, order);
  try {
    return await replace(path, stats, order);
  } catch (problem) {
    if (!hasCode(problem, "EACCES", "EPERM")) throw problem;
    return writeInPlace(path, order);
  }
}

/** Where the bytes go: links are followed, also one that leads to nothing yet. */
async function findTarget(path: string, links = 0): Promise<string> {
  const real = await realpath(path).catch(absent);
  if (real) return real;
  const here = join(await realpath(dirname(path)), basename(path));
  const stats = await lstat(here).catch(absent);
  if (!stats?.isSymbolicLink() || links > 40) return here;
  return findTarget(resolve(dirname(here), await readlink(here)), links + 1);
}

/** False if it has the new bytes already. Throws if it is something else than was known. */
async function isAsKnown(
  path: string,
  stats: BigIntStats | null,
  { known, bytes }: SaveOrder,
): Promise<boolean> {
  if (known === "any") return true;
  if (known === null) {
    if (!stats) return true;
    throw new FileChanged("changed");
  }
  if (!stats) throw new FileChanged("deleted");
  if (await isUntouched(path, known)) return true;
  if (![known.size, bytes.length].includes(Number(stats.size))) throw new FileChanged("changed");
  const hash = hashOf(await readFile(path));
  if (hash === known.hash) return true;
  if (hash === hashOf(bytes)) return false;
  throw new FileChanged("changed");
}

async function replace(
  path: string,
  before: BigIntStats | null,
  { bytes, known, rescues }: SaveOrder,
): Promise<Stamp> {
  const draft = join(dirname(path), draftName());
  // Without the note a crash may leave the draft behind, and nothing worse.
  const forget = await rescues.noteDraft(draft).catch(() => async () => {});
  try {
    const stats = await writeDraft(draft, before, bytes);
    if (before) {
      await sameAs(path, before, known);
      await rename(draft, path);
    } else {
      await take(draft, path, known);
    }
    await syncFolder(dirname(path));
    return stampOf(stats, bytes);
  } catch (problem) {
    // Whether it can be removed or not, what went wrong before is what is told.
    await unlink(draft).catch(() => {});
    throw problem;
  } finally {
    await forget();
  }
}

async function writeDraft(draft: string, before: BigIntStats | null, bytes: Buffer) {
  const mode = before ? 0o600 : 0o666;
  const handle = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    await handle.writeFile(bytes);
    if (before) {
      const own = await handle.stat({ bigint: true });
      if (own.uid !== before.uid || own.gid !== before.gid) {
        await handle.chown(Number(before.uid), Number(before.gid));
      }
      // After the owner: a change of owner takes bits away.
      await handle.chmod(Number(before.mode & 0o7777n));
    }
    await handle.sync();
    return await handle.stat({ bigint: true });
  } finally {
    await handle.close();
  }
}

/** Somebody may have written it while the draft was made. */
async function sameAs(path: string, before: BigIntStats, known: SaveOrder["known"]): Promise<void> {
  if (known === "any") return;
  const now = await stat(path, { bigint: true }).catch(absent);
  if (!now) throw new FileChanged("deleted");
  if (now.ino !== before.ino || now.mtimeNs !== before.mtimeNs || now.size !== before.size) {
    throw new FileChanged("changed");
  }
}

/** Takes a free name, and never one that somebody took meanwhile. */
async function take(draft: string, path: string, known: SaveOrder["known"]): Promise<void> {
  if (known === "any") return rename(draft, path);
  try {
    await link(draft, path);
  } catch (problem) {
    if (hasCode(problem, "EEXIST")) throw new FileChanged("changed");
    // This file system has no hard links.
    if (!hasCode(problem, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")) throw problem;
    return rename(draft, path);
  }
  await unlink(draft);
}

async function writeInPlace(path: string, { bytes, rescues }: SaveOrder): Promise<Stamp> {
  const before = await readFile(path);
  const forget = await rescues.noteWrite(path, before, bytes).catch((problem) => {
    throw unsafe(path, rescues, problem);
  });
  try {
    await overwrite(path, bytes);
  } catch (problem) {
    // Its old blocks are still its own, so this needs no room. Should it fail, the next start tries.
    await overwrite(path, before).catch(() => {});
    const now = await readFile(path).catch(() => null);
    if (now?.equals(before)) await forget();
    throw problem;
  }
  await forget();
  return stampNow(path, bytes);
}

function unsafe(path: string, { folder }: Rescues, problem: unknown): WorkbenchError {
  const code = isSystemError(problem) ? ` (${problem.code})` : "";
  return new WorkbenchError(
    `${printable(path)} can only be written in place, and its text cannot be kept safe in ${printable(folder)} meanwhile${code}: make room there and save again.`,
  );
}

async function stampNow(path: string, bytes: Buffer): Promise<Stamp> {
  return stampOf(await stat(path, { bigint: true }), bytes);
}

/** So that the new name is on the disk too. Some file systems cannot, and need not. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function absent(problem: unknown): null {
  if (hasCode(problem, "ENOENT")) return null;
  throw problem;
}

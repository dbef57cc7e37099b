import { cp, link, lstat, mkdir, rename, rm, rmdir, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { hasCode, isAbsent } from "../disk-errors.js";
import { WorkbenchError } from "../errors.js";

/** Moves a file, link or folder, and never puts it in the place of another. */
export async function moveTo(from: string, to: string): Promise<void> {
  const stats = await lstat(from);
  const there = await lstat(to).catch(absent);
  if (there) {
    // On disks that do not tell cases apart, "Readme" can become "README".
    const same = there.ino === stats.ino && there.dev === stats.dev;
    if (!same || from.toLowerCase() !== to.toLowerCase() || from === to) throw taken(to);
    return rename(from, to);
  }
  if (stats.isDirectory()) return moveFolder(from, to);
  try {
    // Unlike rename, this fails if somebody was faster.
    await link(from, to);
  } catch (problem) {
    if (hasCode(problem, "EEXIST")) throw taken(to);
    if (hasCode(problem, "EXDEV")) return copyAcross(from, to);
    if (!hasCode(problem, "EPERM", "ENOTSUP", "ENOSYS", "EMLINK", "EOPNOTSUPP")) throw problem;
    // This disk has no hard links.
    return rename(from, to);
  }
  await unlink(from);
}

/** At worst this takes the place of an empty folder, which is then lost to nobody. */
async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (problem) {
    if (hasCode(problem, "ENOTEMPTY", "EEXIST")) throw taken(to);
    if (!hasCode(problem, "EXDEV")) throw problem;
    await copyAcross(from, to);
  }
}

/** To another disk. What is there stays until all is copied. */
async function copyAcross(from: string, to: string): Promise<void> {
  try {
    await cp(from, to, {
      recursive: true,
      errorOnExist: true,
      force: false,
      preserveTimestamps: true,
      verbatimSymlinks: true,
    });
  } catch (problem) {
    if (hasCode(problem, "ERR_FS_CP_EEXIST")) throw taken(to);
    await rm(to, { recursive: true, force: true });
    throw problem;
  }
  await rm(from, { recursive: true, force: true });
}

/** Makes the folders that are missing; answers those it made, the outermost first. */
export async function makeFolders(folder: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let at = folder; (await lstat(at).catch(absent)) === null; at = dirname(at)) {
    missing.unshift(at);
  }
  if (missing.length > 0) await mkdir(folder, { recursive: true });
  return missing;
}

/** Takes away folders that were made on the way, as far as nobody has put anything there. */
export async function unmakeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of [...folders].reverse()) {
    const gone = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!gone) return;
  }
}

export function absent(problem: unknown): null {
  if (isAbsent(problem)) return null;
  throw problem;
}

export const taken = (path: string) =>
  new WorkbenchError(
    `There is something called ${basename(path)} already: rename it or choose another name.`,
  );

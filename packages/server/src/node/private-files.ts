import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { chmod, link, lstat, mkdir, open, realpath, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { exposed, notYours, occupied, unusable } from "../errors.js";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** More than any file of ours; a larger one was not written by us. */
const LARGEST = 1024 * 1024;

/** In a folder with this bit, such as /tmp, nobody can remove or rename what another made. */
const STICKY = 0o1000;

/**
 * Makes sure that a folder exists, is ours, and is closed to others; answers its real path. A link
 * in its place is refused; links above it are the person's own arrangement and are followed. The
 * folder above must not be others' to change: they could put another in this one's place.
 */
export async function privateFolder(path: string): Promise<string> {
  try {
    const parent = dirname(path);
    await mkdir(parent, { recursive: true, mode: 0o700 }).catch(ignore("ENOENT"));
    // That one takes a read-only disk for a missing folder; this one says what is the matter.
    await mkdir(parent, { mode: 0o700 }).catch(ignore("EEXIST"));
    const above = await realpath(parent);
    if (isExposed(await stat(above))) throw exposed(above);
    const folder = join(above, basename(path));
    await mkdir(folder, { mode: 0o700 }).catch(ignore("EEXIST"));
    const stats = await lstat(folder);
    if (!stats.isDirectory() || !isOurs(stats.uid)) throw notYours(path);
    if ((stats.mode & 0o077) !== 0) await chmod(folder, 0o700);
    return folder;
  } catch (error) {
    throw isSystemError(error) ? unusable(path, error) : error;
  }
}

/**
 * Writes a file that only its owner can read, whole or not at all. A link, folder or pipe in its
 * place is refused. With `exclusive` an existing file stays, and the answer is false.
 */
export async function writePrivateFile(
  path: string,
  text: string,
  { exclusive = false } = {},
): Promise<boolean> {
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}`);
  try {
    const there = await lstat(path).catch(ignore("ENOENT"));
    if (there && !there.isFile()) throw occupied(path);
    const handle = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    if (!exclusive) {
      await rename(draft, path);
      return true;
    }
    const linked = await link(draft, path).then(() => true, ignore("EEXIST"));
    await unlink(draft);
    return linked ?? false;
  } catch (error) {
    // Whether it can be removed or not, what went wrong before is what is told.
    await unlink(draft).catch(() => {});
    throw isSystemError(error) ? unusable(path, error) : error;
  }
}

/** The text of a file of ours; null if there is none, or it is not an ordinary file of this user. */
export async function readPrivateFile(path: string): Promise<string | null> {
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (!handle) return null;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || !isOurs(stats.uid) || stats.size > LARGEST) return null;
    return await handle.readFile("utf8");
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

/** Root's folders are as safe as ours: root needs no tricks. */
function isExposed({ uid, mode }: Stats): boolean {
  if (process.getuid === undefined) return false;
  return !(isOurs(uid) || uid === 0) || ((mode & 0o002) !== 0 && (mode & STICKY) === 0);
}

/** Systems without user ids keep a home folder private by other means. */
function isOurs(uid: number): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return (
    error instanceof Error &&
    typeof (error as NodeJS.ErrnoException).code === "string" &&
    "errno" in error
  );
}

/** For an error that means "nothing to do". */
export function ignore(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}

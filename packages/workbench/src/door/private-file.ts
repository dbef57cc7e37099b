import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** More than any file of the door's; a larger one was not written by it. */
const LARGEST = 64 * 1024;

/** Writes a file that only its owner can read, whole or not at all. Its folder is private already. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    const handle = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
}

/** Null if there is no such file, or it cannot be one that {@link writePrivate} wrote. */
export async function readPrivate(path: string): Promise<string | null> {
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (!handle) return null;
  try {
    const stats = await handle.stat();
    const ours = process.getuid === undefined || process.getuid() === stats.uid;
    if (!stats.isFile() || !ours || stats.size > LARGEST) return null;
    return await handle.readFile("utf8");
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

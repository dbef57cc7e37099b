import { randomBytes } from "node:crypto";
import { open, readFile, rename, unlink } from "node:fs/promises";

/** What a file of ours holds; null if there is none or it is not JSON. */
export async function readJsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    return null;
  }
}

/** Whole or not at all, and for this user only. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(JSON.stringify(value));
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    // Whether it can be removed or not, what went wrong before is what is told.
    await unlink(draft).catch(() => {});
    throw error;
  }
}

import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isWithin } from "@lockstep/protocol";

/** The folders from that of a file up to the workspace's. */
export function foldersAbove(path: string, root: string): readonly string[] {
  const folders: string[] = [];
  for (let at = dirname(path); isWithin(at, root); at = dirname(at)) {
    folders.push(at);
    if (at === root) break;
  }
  return folders;
}

/** The first of these names that there is in one of the folders; null for none. */
export async function findAbove(
  folders: readonly string[],
  names: readonly string[],
): Promise<string | null> {
  for (const folder of folders) {
    for (const name of names) {
      const path = join(folder, name);
      const stats = await stat(path).catch(() => null);
      if (stats?.isFile()) return path;
    }
  }
  return null;
}

/** A JSON file as an object; null if it is none, or is too large to be one of settings. */
export async function readObject(path: string): Promise<Readonly<Record<string, unknown>> | null> {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isFile() || stats.size > LARGEST) return null;
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Bytes. */
const LARGEST = 1024 * 1024;

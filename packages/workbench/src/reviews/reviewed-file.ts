import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, relative, sep } from "node:path";
import { toLf } from "@lockstep/editor";
import { baseName, filePath, printable, type Uri } from "@lockstep/protocol";

/** As much as an agent can propose. */
const LARGEST = 64 * 1024 * 1024;

/**
 * The text of the file in LF, as proposals are made against it; "" if there is none. Null for what is
 * no file, or too large to be under review.
 */
export async function readReviewedFile(uri: Uri): Promise<string | null> {
  const path = filePath(uri);
  if (path === null) return null;
  try {
    // Non-blocking, because a pipe would otherwise wait for a writer that never comes.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > LARGEST) return null;
      return toLf(await handle.readFile("utf8"));
    } finally {
      await handle.close();
    }
  } catch (problem) {
    const { code } = problem as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return "";
    throw problem;
  }
}

/** What the queue calls it, safe to show: its name, and the folders above it from the workspace on. */
export function nameOf(uri: Uri, folders: readonly string[]): { label: string; place: string } {
  const path = filePath(uri);
  if (path === null) return { label: printable(uri), place: "" };
  const folder = folders.find((root) => path.startsWith(root.endsWith(sep) ? root : root + sep));
  const place = folder ? relative(folder, dirname(path)) : dirname(path);
  return { label: printable(baseName(path)), place: printable(place.split(sep).join("/")) };
}

import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { chmod, open, readdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Files } from "../core/files.js";

/** What fits into one message, with room to spare. */
const LARGEST = 64 * 1024 * 1024;

/** The real disk. */
export const disk: Files = {
  async look(path) {
    try {
      const realPath = await realpath(path);
      return { realPath, isFile: (await stat(realPath)).isFile() };
    } catch {
      // Missing, too long, in a circle, closed to us, or no path at all: it leads to nothing.
      return null;
    }
  },

  async read(path) {
    // Non-blocking, because a pipe would otherwise wait for a writer that never comes.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(absent);
    if (!handle) return null;
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw new Error(`${path} is not a file`);
      if (stats.size > LARGEST) throw new Error(`${path} is larger than ${LARGEST >> 20} MiB`);
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  },

  async entries(folder) {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  },

  async write(path, text) {
    const draft = join(dirname(path), `.${randomBytes(6).toString("hex")}.tmp`);
    const mode = (await stat(path).catch(absent))?.mode;
    try {
      await writeFile(draft, text, { flag: "wx" });
      if (mode !== undefined) await chmod(draft, mode);
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  },
};

function absent(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  throw error;
}

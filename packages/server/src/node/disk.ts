import { constants } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import type { Files } from "../core/files.js";

/** What fits into one message, with room to spare. */
const LARGEST = 64 * 1024 * 1024;

/** The real disk. */
export const disk: Files = {
  async look(path) {
    try {
      const realPath = await realpath(path);
      return { realPath, isFile: (await stat(realPath)).isFile() };
    } catch (error) {
      return absent(error);
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
};

function absent(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  throw error;
}

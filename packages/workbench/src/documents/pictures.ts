import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { kindOf } from "./file-kind.js";

/** Bytes. What is larger is named and not shown: a window would hold it in memory unpacked. */
export const LARGEST_PICTURE = 20 * 1024 * 1024;

/** A file that a browser can show, and never runs. */
export interface Picture {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Null for what is no picture, by its first bytes, whatever its name says. */
export async function readPicture(path: string): Promise<Picture | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > LARGEST_PICTURE) return null;
    const bytes = await handle.readFile();
    const type = kindOf(bytes)?.picture ?? null;
    return type === null ? null : { type, bytes };
  } finally {
    await handle.close();
  }
}

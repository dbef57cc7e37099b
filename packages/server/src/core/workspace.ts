import { basename, dirname, join } from "node:path";
import { filePath, isWithin, type Uri } from "@lockstep/protocol";
import type { Files } from "./files.js";

/** The paths of an editor's folders. */
export function folderPaths(folders: readonly Uri[]): readonly string[] {
  return folders.map(filePath).filter((path) => path !== null);
}

/** Whether a real path lies in one of the folders: a link inside of them may lead out. */
export function isInFolders(realPath: string, folders: readonly Uri[]): boolean {
  return folderPaths(folders).some((folder) => isWithin(realPath, folder));
}

/** Where a path leads once it is made: as far as it exists, links are followed. */
export async function eventualPath(path: string, files: Files): Promise<string> {
  const found = await files.look(path);
  if (found) return found.realPath;
  const above = dirname(path);
  return above === path ? path : join(await eventualPath(above, files), basename(path));
}

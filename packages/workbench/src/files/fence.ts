import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { filePath, isWithin, type Uri } from "@lockstep/protocol";
import { isAbsent, refusal } from "../disk-errors.js";
import { WorkbenchError } from "../errors.js";

/**
 * Lets only paths through that are in the workspace, also when links are followed. Answers real
 * paths, so that one file has one name.
 */
export class Fence {
  readonly #folders: readonly string[];

  /** `folders` are absolute, without links. */
  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** The folder of the workspace that the path is in or is; null if it is outside. */
  folderOf(path: string): string | null {
    return this.#folders.find((folder) => isWithin(path, folder)) ?? null;
  }

  /** From its workspace folder on, with slashes; "" for the folder itself. */
  relative(path: string): string {
    const folder = this.folderOf(path);
    return folder === null ? path : relative(folder, path).split(sep).join("/");
  }

  /** Something to read: links are followed to the end, and the end must be inside. */
  async reach(uri: Uri): Promise<string> {
    const path = plainPath(uri);
    const real = await realpath(path).catch((problem: unknown) => {
      throw refusal(`${basename(path)} cannot be read`, problem);
    });
    if (this.folderOf(real) === null) throw outside(basename(path));
    return real;
  }

  /**
   * A place to make, move or delete something at: links above it are followed, it is not. It need
   * not exist. The workspace's folders themselves and git's own folder are refused.
   */
  async place(uri: Uri): Promise<string> {
    const path = plainPath(uri);
    const name = basename(path);
    const real = join(await realAncestor(dirname(path)), name);
    const folder = this.folderOf(real);
    if (folder === null || name === "") throw outside(name || path);
    if (this.#folders.includes(real) || this.#folders.some((other) => isWithin(other, real))) {
      throw new WorkbenchError(`${name} is the workspace itself: change it outside of Lockstep.`);
    }
    if (relative(folder, real).split(sep).some(isGit)) {
      throw new WorkbenchError("Git's own folder is left alone: use git in the terminal.");
    }
    return real;
  }
}

/** Disks that do not tell cases apart find it under any spelling. */
export const isGit = (name: string): boolean => name.length === 4 && name.toLowerCase() === ".git";

function plainPath(uri: Uri): string {
  const path = filePath(uri);
  if (path === null) throw new WorkbenchError("This is not a file: save it first.");
  if (path.includes("\0")) throw new WorkbenchError("A name cannot have a NUL in it.");
  const plain = resolve(path);
  if (plain !== path && `${plain}${sep}` !== path) {
    throw new WorkbenchError(`${path} is not a plain path: leave out "." and "..".`);
  }
  return plain;
}

/** The folder without links, as far down as it exists. */
async function realAncestor(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (problem) {
    const parent = dirname(folder);
    if (!isAbsent(problem) || parent === folder) throw refusal(`${folder} cannot be used`, problem);
    return join(await realAncestor(parent), basename(folder));
  }
}

const outside = (name: string) =>
  new WorkbenchError(`${name} is outside of the workspace: open its folder with Lockstep first.`);

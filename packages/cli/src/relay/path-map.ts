import { posix, win32 } from "node:path";
import {
  isAbsolutePath,
  isWithin,
  slashes,
  windowsSpelling,
  wslSpelling,
} from "@lockstep/protocol";
import { UsageError } from "../command.js";

/** A folder, as the editor's machine and as the agent's calls it. */
export interface FolderPair {
  readonly local: string;
  readonly remote: string;
}

type Side = keyof FolderPair;

/**
 * Which folder here is which there. Paths are made plain first (`..` and doubled slashes gone), so
 * that none that begins inside leads outside; the longest folder that fits decides.
 */
export class PathMap {
  readonly #pairs: readonly FolderPair[];

  constructor(pairs: readonly FolderPair[]) {
    this.#pairs = pairs.map(({ local, remote }) => ({
      local: plain(local),
      remote: plain(remote),
    }));
  }

  /** What the agent's machine calls a path of the editor's; null for one outside of every folder. */
  toRemote(path: string): string | null {
    // JetBrains' plugin says /c/Users for what Windows calls C:\Users.
    return (
      this.#moved(path, "local", "remote") ?? this.#moved(windowsSpelling(path), "local", "remote")
    );
  }

  /** What the editor's machine calls a path of the agent's; null for one outside of every folder. */
  toLocal(path: string): string | null {
    return this.#moved(path, "remote", "local");
  }

  #moved(given: string, from: Side, to: Side): string | null {
    const path = plain(given);
    const fitting = this.#pairs.filter((pair) => isWithin(path, pair[from]));
    const [pair] = fitting.sort((a, b) => b[from].length - a[from].length);
    return pair ? below(pair[to], rest(path, pair[from])) : null;
  }
}

/** What `--map` takes: LOCAL=REMOTE, both absolute; either may contain "=" itself. */
export function folderPair(given: string): FolderPair {
  for (let at = given.indexOf("="); at >= 0; at = given.indexOf("=", at + 1)) {
    const [local, remote] = [given.slice(0, at), given.slice(at + 1)];
    if (isAbsolutePath(local) && isAbsolutePath(remote)) return { local, remote };
  }
  throw new UsageError(
    `--map takes LOCAL=REMOTE, two absolute paths such as /home/ada/project=/srv/project, not ${given}`,
  );
}

/** What holds where nobody says otherwise: the same paths, or those that WSL has for Windows' drives. */
export const defaultPairs = (folders: readonly string[]): readonly FolderPair[] =>
  folders.map((folder) => ({ local: folder, remote: wslSpelling(folder) }));

const isWindows = (path: string) => isAbsolutePath(path) && !path.startsWith("/");

function plain(path: string): string {
  if (!isWindows(path)) {
    // A backslash at the end is part of the name here.
    const normal = posix.normalize(path);
    return normal.length > 1 ? normal.replace(/\/$/, "") : normal;
  }
  const normal = win32.normalize(path);
  return /^[a-z]:[\\/]$/i.test(normal) ? normal : normal.replace(/[\\/]$/, "");
}

/** What follows the folder, with slashes, beginning with one; "" for the folder itself. */
function rest(path: string, folder: string): string {
  const from = isWindows(path) ? slashes(path) : path;
  const after = from.slice(folder.replace(/[\\/]$/, "").length);
  return after === "/" ? "" : after;
}

/** Null where a name would mean something else there: a backslash is a letter here, a slash on Windows. */
function below(folder: string, after: string): string | null {
  const base = folder.replace(/[\\/]$/, "");
  if (!isWindows(folder)) return base + after || "/";
  return after.includes("\\")
    ? null
    : `${base}${after.replaceAll("/", "\\") || (base.endsWith(":") ? "\\" : "")}`;
}

import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { FileEntry } from "../contract/files.js";
import { refusal } from "../disk-errors.js";
import { isGit } from "./fence.js";
import type { GitStates } from "./git-states.js";

/** What is in a folder, in the order of the tree: folders first, then by name. */
export async function listFolder(folder: string, git: GitStates): Promise<readonly FileEntry[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch((problem: unknown) => {
    throw refusal(`The folder ${basename(folder)} cannot be read`, problem);
  });
  const states = git.isIgnored(folder) ? ALL_IGNORED : git.below(folder);
  const entries: FileEntry[] = [];
  for (const entry of found) {
    const { name } = entry;
    if (isGit(name)) continue;
    // Only links are waited for: there may be a hundred thousand others.
    const plain = entry.isSymbolicLink() ? await linkEntry(folder, name) : plainEntry(entry);
    const state = states.get(name);
    if (state === undefined) entries.push(plain);
    else entries.push(state === "ignored" ? { ...plain, ignored: true } : { ...plain, git: state });
  }
  return inOrder(entries);
}

const ALL_IGNORED = { get: (): "ignored" => "ignored" };

function plainEntry(entry: Dirent): FileEntry {
  const kind = entry.isDirectory() ? "folder" : entry.isFile() ? "file" : "other";
  return { name: entry.name, kind };
}

/** A link shows as what it leads to; one that leads nowhere as neither file nor folder. */
async function linkEntry(folder: string, name: string): Promise<FileEntry> {
  const target = await stat(join(folder, name)).catch(() => null);
  const kind = target?.isDirectory() ? "folder" : target?.isFile() ? "file" : "other";
  return { name, kind, link: true };
}

/** Each name's key is made once: comparing by locale takes seconds for a hundred thousand. */
function inOrder(entries: readonly FileEntry[]): FileEntry[] {
  const keyed = entries.map((entry) => ({
    entry,
    key: (entry.kind === "folder" ? "0" : "1") + naturalKey(entry.name),
  }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ entry }) => entry);
}

const PLAIN = /^[ -~]*$/;

/**
 * Sorts as people do: no difference between cases and accents, numbers by their value. A run of
 * digits is preceded by its length as a character, so that 9 comes before 10. The name itself
 * comes last, so that two names never have one key.
 */
export function naturalKey(name: string): string {
  const base = PLAIN.test(name) ? name : name.normalize("NFKD").replace(/\p{Mn}/gu, "");
  const key = base.toLowerCase().replace(/\d+/g, (digits) => {
    const value = digits.replace(/^0+(?=\d)/, "");
    return `0${String.fromCharCode(0x30 + Math.min(value.length, 60_000))}${value}`;
  });
  return `${key}\0${name}`;
}

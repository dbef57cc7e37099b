import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isWithin, printable } from "@lockstep/protocol";
import type { GitState } from "../contract/files.js";
import { quietGit } from "./git-command.js";

/** What git says of one workspace folder. */
export interface GitStatus {
  /** Where git keeps its state of this folder: HEAD and index change in it. */
  readonly gitDir: string;
  /** Safe to show. */
  readonly branch: string | null;
  /** By absolute path, only what is not clean. */
  readonly files: ReadonlyMap<string, GitState>;
  /** By absolute path: the strongest state below. */
  readonly folders: ReadonlyMap<string, GitState>;
  /** Absolute paths of files and of whole folders. */
  readonly ignored: ReadonlySet<string>;
}

const STRENGTH: Readonly<Record<GitState, number>> = {
  conflicted: 6,
  modified: 5,
  deleted: 4,
  renamed: 3,
  added: 2,
  untracked: 1,
};

/** Null where there is no git, or no repository. */
export async function readGitStatus(
  folder: string,
  signal: AbortSignal,
): Promise<GitStatus | null> {
  try {
    const git = await quietGit(folder, signal);
    const place = await git?.("rev-parse", "--show-toplevel", "--absolute-git-dir");
    if (!git || place?.code !== 0) return null;
    const [root = "", gitDir = ""] = place.stdout.toString().split("\n");
    let status = await git(...STATUS, "--", ".");
    // To find renames it reads old contents, which a partial clone may not have.
    if (status.code !== 0) status = await git(...STATUS, "--no-renames", "--", ".");
    if (status.code !== 0) return null;
    return parse(status.stdout.toString(), await realpath(root), gitDir, folder);
  } catch {
    // It cannot be started, or the folder has just gone.
    return null;
  }
}

/** Of a repository inside of this one only the commit: its own settings hold for what is in it. */
const STATUS = [
  ...["status", "--porcelain=v2", "-z", "--branch", "--untracked-files=all"],
  ...["--ignored=matching", "--ignore-submodules=dirty"],
];

function parse(output: string, root: string, gitDir: string, folder: string): GitStatus {
  const files = new Map<string, GitState>();
  const folders = new Map<string, GitState>();
  const ignored = new Set<string>();
  let branch: string | null = null;
  const records = output.split("\0");
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? "";
    const kind = record[0];
    if (kind === "#") branch = branchOf(record) ?? branch;
    else if (kind === "!") ignored.add(absolute(root, record.slice(2)));
    else if (kind === "?" || kind === "1" || kind === "2" || kind === "u") {
      const path = absolute(root, pathOf(record));
      const state = stateOf(record);
      files.set(path, state);
      raise(folders, dirname(path), state, folder);
      // The name before a rename follows as a record of its own.
      if (kind === "2") at++;
    }
  }
  return { gitDir, branch, files, folders, ignored };
}

/** "(detached)" is none; a branch without a commit is one. */
function branchOf(record: string): string | null {
  const [, name] = /^# branch\.head (.*)$/s.exec(record) ?? [];
  return name === undefined || name === "(detached)" ? null : printable(name);
}

/** The path follows a fixed number of fields, and may have spaces itself. */
function pathOf(record: string): string {
  const fields = { "?": 1, "1": 8, "2": 9, u: 10 }[record[0] ?? ""] ?? 1;
  let at = 0;
  for (let field = 0; field < fields; field++) at = record.indexOf(" ", at) + 1;
  return record.slice(at);
}

function stateOf(record: string): GitState {
  if (record[0] === "?") return "untracked";
  if (record[0] === "u") return "conflicted";
  const staged = record[2];
  const unstaged = record[3];
  if (unstaged === "D" || staged === "D") return "deleted";
  if (record[0] === "2") return staged === "C" ? "added" : "renamed";
  if (staged === "A" || unstaged === "A") return "added";
  return "modified";
}

/** An untracked repository or an ignored folder ends with a slash. */
function absolute(root: string, path: string): string {
  return join(root, path.endsWith("/") ? path.slice(0, -1) : path);
}

/** Stops where the folders above already have that state or a stronger one. */
function raise(folders: Map<string, GitState>, from: string, state: GitState, top: string): void {
  // A folder in which something was deleted is not itself deleted.
  const shown = state === "deleted" ? "modified" : state;
  for (let path = from; isWithin(path, top); path = dirname(path)) {
    const known = folders.get(path);
    if (known && STRENGTH[known] >= STRENGTH[shown]) return;
    folders.set(path, shown);
    if (path === top) return;
  }
}

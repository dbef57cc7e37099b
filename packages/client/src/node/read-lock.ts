import { constants, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { LockFile } from "@lockstep/protocol";
import type { Ide, Problem } from "./ide.js";
import { isAlive } from "./probes.js";
import { processStart } from "./process-start.js";

/** A lock file is a few hundred bytes. */
const LARGEST = 64 * 1024;

/** A process that is younger than its lock file by more than the clocks' error did not write it. */
const CLOCK_ERROR_MS = 10_000;

/**
 * Reads one lock file. It is somebody's word, so nothing in it is trusted: a link, a pipe, another
 * user's file or a huge one is reported and not read.
 */
export async function readLock(path: string, port: number): Promise<Ide | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => error,
  );
  if (handle instanceof Error) {
    return handle.code === "ENOENT" ? null : unread(path, port, NOT_ORDINARY);
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > LARGEST) return unread(path, port, NOT_ORDINARY);
    const problems = [...ownership(stats)];
    const { data } = LockFile.safeParse(json(await handle.readFile("utf8")));
    if (!data) return unread(path, port, ...problems, NOT_A_LOCK);
    if (data.transport !== "ws") problems.push(OTHER_TRANSPORT);
    if (data.pid !== undefined && !(await isAuthor(data.pid, stats)))
      problems.push(processGone(data.pid));
    return {
      port,
      name: data.ideName ?? "unnamed",
      pid: data.pid ?? null,
      folders: data.workspaceFolders,
      lockFiles: [path],
      announcedAt: stats.mtimeMs,
      problems,
      token: () => data.authToken ?? "",
    };
  } finally {
    await handle.close();
  }
}

function unread(path: string, port: number, ...problems: readonly Problem[]): Ide {
  const nothing = { name: "unknown", pid: null, folders: [], announcedAt: 0, token: () => "" };
  return { ...nothing, port, lockFiles: [path], problems };
}

function* ownership({ uid, mode }: Stats): Iterable<Problem> {
  if (process.getuid && process.getuid() !== uid) yield NOT_YOURS;
  if ((mode & 0o022) !== 0) yield WRITABLE;
  else if ((mode & 0o044) !== 0) yield READABLE;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the process may be the one that the lock file names: alive, and not younger than it. */
async function isAuthor(pid: number, { mtimeMs }: Stats): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const started = await processStart(pid);
  return started === null || started <= mtimeMs + CLOCK_ERROR_MS;
}

const NOT_ORDINARY: Problem = {
  code: "not-an-ordinary-file",
  fatal: true,
  message: "The lock file is a link, a pipe, unreadable or far too large. Remove it.",
};
const NOT_YOURS: Problem = {
  code: "not-yours",
  fatal: true,
  message: "Another user owns the lock file, so the editor may be an impostor.",
};
const WRITABLE: Problem = {
  code: "writable-by-others",
  fatal: true,
  message: "Others may write the lock file, so the editor may be an impostor: chmod 600.",
};
const READABLE: Problem = {
  code: "readable-by-others",
  fatal: false,
  message: "Others may read the lock file, and with its token connect to the editor: chmod 600.",
};
const NOT_A_LOCK: Problem = {
  code: "not-a-lock-file",
  fatal: true,
  message: "The lock file does not hold what a lock file holds. Restart the editor.",
};
const OTHER_TRANSPORT: Problem = {
  code: "other-transport",
  fatal: true,
  message: 'The lock file does not say "transport": "ws"; nothing else is spoken here.',
};
const processGone = (pid: number): Problem => ({
  code: "process-gone",
  fatal: true,
  message: `The editor's process ${pid} is gone; the lock file was left behind.`,
});

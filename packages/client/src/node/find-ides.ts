import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { lockFilePort } from "@lockstep/protocol";
import { type Ide, isUsable, type Problem } from "./ide.js";
import { lockFolders } from "./lock-folders.js";
import { portOwner } from "./port-owner.js";
import { isListening } from "./probes.js";
import { readLock } from "./read-lock.js";

export interface FindOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** One more folder to look in, before the usual ones. */
  readonly configDir?: string;
}

/**
 * Every editor that announces itself on this machine, the broken ones too, each with what is wrong
 * with it. Newest first.
 */
export async function findIdes(options: FindOptions = {}): Promise<readonly Ide[]> {
  const folders = await lockFolders(options.env ?? process.env, options.configDir);
  const read = await Promise.all(folders.map(readFolder));
  const ides = await Promise.all(mergeCopies(read.flat()).map(withListening));
  return ides.sort((a, b) => b.announcedAt - a.announcedAt);
}

async function readFolder(folder: string): Promise<readonly Ide[]> {
  const names = await readdir(folder).catch(() => []);
  const locks = names.map(async (name) => {
    const port = lockFilePort(name);
    return port === null ? null : readLock(join(folder, name), port);
  });
  return (await Promise.all(locks)).filter((ide) => ide !== null);
}

/** One server that is announced in two folders is one IDE. */
function mergeCopies(ides: readonly Ide[]): readonly Ide[] {
  const merged: Ide[] = [];
  for (const ide of ides) {
    const at = merged.findIndex(({ port, token }) => port === ide.port && token() === ide.token());
    const twin = merged[at];
    if (twin) merged[at] = mergeTwins(twin, ide);
    else merged.push(ide);
  }
  return merged;
}

/** What is wrong with one copy is wrong with the token that both hold. */
function mergeTwins(one: Ide, other: Ide): Ide {
  const known = new Set(one.problems.map(({ code }) => code));
  return {
    ...one,
    lockFiles: [...one.lockFiles, ...other.lockFiles],
    problems: [...one.problems, ...other.problems.filter(({ code }) => !known.has(code))],
  };
}

/** A living process proves little: its server may be gone, and a stranger's be on its port. */
async function withListening(ide: Ide): Promise<Ide> {
  if (!isUsable(ide)) return ide;
  const problem = await portProblem(ide.port);
  return problem ? { ...ide, problems: [...ide.problems, problem] } : ide;
}

async function portProblem(port: number): Promise<Problem | null> {
  if (!(await isListening(port))) return NOT_LISTENING;
  const owner = await portOwner(port);
  const own = owner === null || !process.getuid || owner === process.getuid();
  return own ? null : PORT_NOT_YOURS;
}

const NOT_LISTENING: Problem = {
  code: "not-listening",
  fatal: true,
  message: "Nothing listens on the port; the lock file was left behind. Restart the editor.",
};
const PORT_NOT_YOURS: Problem = {
  code: "port-not-yours",
  fatal: true,
  message: "Another user's process has the port now; it gets no token. Restart the editor.",
};

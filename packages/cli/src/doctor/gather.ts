import { constants } from "node:fs";
import { open, readdir, readFile, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { type Ide, isListening, isUsable, readLock } from "@lockstep/client";
import { isWithin, LockFile, lockFilePort } from "@lockstep/protocol";
import type { Facts, LockFact, PlaceFact } from "./facts.js";
import { probe } from "./probe.js";
import { ancestorsOf, isWsl, listenerOf, processFact, valuesElsewhere } from "./system.js";

export interface GatherOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** One more folder to look in, where the agent does not. */
  readonly configDir?: string | undefined;
}

const BORROWED = "another process's $CLAUDE_CONFIG_DIR";

const isAround = (cwd: string, { folders }: Ide): boolean =>
  folders.some((folder) => isWithin(cwd, folder));

/** More than a lock file has. */
const LARGEST = 64 * 1024;

/** Looks at everything, and changes nothing. */
export async function gather({ cwd, env, configDir }: GatherOptions): Promise<Facts> {
  const here = await realpath(cwd);
  const found = await findPlaces(env, configDir);
  const each = await Promise.all(
    found.map(async (place) => ({ place, locks: await locksIn(place, here, env) })),
  );
  // Folders of other processes count only for an editor of this folder.
  const relevant = each.filter(({ place, locks }) => !place.borrowed || locks.length > 0);
  const places = relevant.map(({ place }) => place);
  const locks = relevant.map((one) => one.locks);
  return {
    cwd: here,
    env,
    ancestors: await ancestorsOf(process.pid),
    mainWorktree: await mainWorktreeOf(here),
    autoConnects: await autoConnects(env),
    inWsl: await isWsl(),
    places,
    locks: locks.flat(),
  };
}

/** The two folders that the agent searches, and those that editors write to all the same. */
async function findPlaces(
  env: NodeJS.ProcessEnv,
  configDir: string | undefined,
): Promise<readonly PlaceFact[]> {
  const home = env.HOME || homedir();
  const own = env.CLAUDE_CONFIG_DIR;
  const elsewhere = await valuesElsewhere("CLAUDE_CONFIG_DIR");
  const wanted: readonly (readonly [
    parent: string | undefined,
    from: string,
    searched: boolean,
  ])[] = [
    [own, "$CLAUDE_CONFIG_DIR", true],
    [join(home, ".claude"), "~/.claude", true],
    [configDir, "--config-dir", false],
    [join(env.XDG_CONFIG_HOME || join(home, ".config"), "claude"), "~/.config/claude", false],
    ...elsewhere.map((value) => [value, BORROWED, false] as const),
  ];
  const places: PlaceFact[] = [];
  for (const [parent, from, searched] of wanted) {
    if (!parent) continue;
    const folder = join(parent, "ide");
    const real = await realpath(folder).catch(() => folder);
    if (places.some((place) => place.folder === real)) continue;
    places.push(await placeFact(real, from, searched));
  }
  return places;
}

async function placeFact(folder: string, from: string, searched: boolean): Promise<PlaceFact> {
  const stats = await stat(folder).catch(() => null);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => error);
  const missing = names instanceof Error && names.code === "ENOENT";
  return {
    folder,
    from,
    searched,
    borrowed: from === BORROWED,
    exists: !missing,
    unreadable: names instanceof Error && !missing ? (names.code ?? names.message) : null,
    writableByOthers: stats !== null && (stats.mode & 0o022) !== 0,
    strangers: names instanceof Error ? [] : names.filter((name) => lockFilePort(name) === null),
  };
}

async function locksIn(
  place: PlaceFact,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly LockFact[]> {
  const names = await readdir(place.folder).catch(() => []);
  const facts = names.map(async (name) => {
    const port = lockFilePort(name);
    const path = join(place.folder, name);
    const ide = port === null ? null : await readLock(path, port);
    if (!ide || (place.borrowed && !isAround(cwd, ide))) return null;
    return lockFact(path, place, ide, env.CLAUDE_CODE_IDE_HOST_OVERRIDE);
  });
  return (await Promise.all(facts)).filter((fact) => fact !== null);
}

async function lockFact(
  path: string,
  place: PlaceFact,
  ide: Ide,
  otherHost: string | undefined,
): Promise<LockFact> {
  const { port, pid, folders } = ide;
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  const listener = (await isListening(port)) ? await listenerOf(port) : null;
  const listening = listener !== null || (await isListening(port));
  const ours = !process.getuid || listener?.uid == null || listener.uid === process.getuid();
  return {
    path,
    place,
    port,
    ide,
    faults: await faultsOf(path),
    process: pid === null ? null : await processFact(pid),
    // The token goes nowhere but to 127.0.0.1: there, only the port is tried.
    answersAtHost: otherHost ? await isListening(port, otherHost) : true,
    listener: listening ? (listener ?? UNKNOWN_LISTENER) : null,
    realFolders: real.filter((folder) => folder !== null),
    probe: listening && ours && mayHaveToken(ide) ? await probe(ide) : null,
  };
}

/** Somebody listens, and this system does not say who. */
const UNKNOWN_LISTENER = { uid: null, pid: null, command: "", innerPid: null, everywhere: false };

/** A lock whose process only seems gone (a container's) is asked all the same; an impostor's is not. */
function mayHaveToken(ide: Ide): boolean {
  return isUsable({ ...ide, problems: ide.problems.filter(({ code }) => code !== "process-gone") });
}

/** What is wrong with a lock file's contents, in words. */
async function faultsOf(path: string): Promise<readonly string[]> {
  const text = await smallFile(path);
  if (text === null) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [text.trim() === "" ? "it is empty" : "it is not JSON"];
  }
  const { data, error } = LockFile.safeParse(value);
  if (error)
    return error.issues.map(({ path: at, message }) => `${at.join(".") || "it"}: ${message}`);
  const faults: string[] = [];
  if (data.transport === undefined) faults.push("transport is missing");
  if (!data.authToken) faults.push("authToken is missing");
  if (data.pid === undefined) faults.push("pid is missing");
  if (data.ideName === undefined) faults.push("ideName is missing");
  if (data.workspaceFolders.length === 0) faults.push("workspaceFolders is empty");
  return faults;
}

/** Null for what is no ordinary small file: a link, a pipe, something huge. */
async function smallFile(path: string): Promise<string | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (!handle) return null;
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= LARGEST ? await handle.readFile("utf8") : null;
  } finally {
    await handle.close();
  }
}

/** The first folder above with a `.git`; where that is a file, the repository is another folder's. */
async function mainWorktreeOf(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    const text = await smallFile(join(at, ".git"));
    const gitFolder = /^gitdir: (.*)$/m.exec(text ?? "")?.[1];
    if (gitFolder && basename(dirname(gitFolder)) === "worktrees") {
      return dirname(dirname(dirname(gitFolder)));
    }
    if (at === dirname(at) || (await stat(join(at, ".git")).catch(() => null))) return null;
  }
}

async function autoConnects(env: NodeJS.ProcessEnv): Promise<boolean> {
  const folder = env.CLAUDE_CONFIG_DIR || env.HOME || homedir();
  try {
    return JSON.parse(await readFile(join(folder, ".claude.json"), "utf8")).autoConnectIde === true;
  } catch {
    return false;
  }
}

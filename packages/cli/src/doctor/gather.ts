import { constants } from "node:fs";
import { open, readdir, readFile, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { type Ide, isListening, readLock } from "@lockstep/client";
import { LockFile } from "@lockstep/protocol";
import { agentAddresses } from "./agent-address.js";
import { agentPort, isAround, readAsAgent } from "./agent-reading.js";
import type { Address, Facts, LockFact, PlaceFact, Reading } from "./facts.js";
import { probe } from "./probe.js";
import { ancestorsOf, isWsl, listenerOf, processFact, valuesElsewhere } from "./system.js";

export interface GatherOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** One more folder to look in, where the agent does not. */
  readonly configDir?: string | undefined;
}

const BORROWED = "another process's $CLAUDE_CONFIG_DIR";

/** The agent reads a lock file of any size; none is as large as this. */
const LARGEST = 16 * 1024 * 1024;

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
  };
}

async function locksIn(
  place: PlaceFact,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly LockFact[]> {
  const names = await readdir(place.folder).catch(() => []);
  const facts = names.map(async (name) => {
    const port = agentPort(name);
    const path = join(place.folder, name);
    const ide = port === null ? null : await readLock(path, port);
    if (!ide) return null;
    const file = await fileAt(path);
    const reading = file.text === null ? file.otherwise : READ(file.text);
    if (place.borrowed && !(reading.kind === "read" && isAround(reading.lock, cwd))) return null;
    return lockFact(path, place, ide, file, reading, env.CLAUDE_CODE_IDE_HOST_OVERRIDE);
  });
  return (await Promise.all(facts)).filter((fact) => fact !== null);
}

const READ = (text: string): Reading => ({ kind: "read", lock: readAsAgent(text) });

async function lockFact(
  path: string,
  place: PlaceFact,
  ide: Ide,
  { text, writtenAt }: FileFact,
  reading: Reading,
  otherHost: string | undefined,
): Promise<LockFact> {
  const { port } = ide;
  const lock = reading.kind === "read" ? reading.lock : null;
  const folders = foldersIn(text ?? "");
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  const { address, answers } = await lookAt(agentAddresses(port, otherHost));
  const known = answers && address?.here ? await listenerOf(address.port, address.host) : null;
  const listener = answers ? (known ?? UNKNOWN_LISTENER) : null;
  const ours = !process.getuid || listener?.uid == null || listener.uid === process.getuid();
  const asked = listener && ours && address?.here && lock?.overWebSocket && mayHaveToken(ide);
  return {
    path,
    place,
    port,
    name: lock?.name ?? ide.name,
    folders,
    writtenAt,
    reading,
    ide,
    faults: text === null ? [] : faultsOf(text),
    process: lock?.pid == null ? null : await processFact(lock.pid),
    address,
    listener,
    realFolders: real.filter((folder) => folder !== null),
    probe: asked
      ? await probe({ ...ide, host: address.host, port: address.port, token: lock.token })
      : null,
  };
}

/** The first address at which somebody is; else the first. */
async function lookAt(addresses: readonly Address[]) {
  for (const address of addresses)
    if (await isListening(address.port, address.host)) return { address, answers: true };
  return { address: addresses[0] ?? null, answers: false };
}

/** Somebody listens, and this system does not say who. */
const UNKNOWN_LISTENER = { uid: null, pid: null, command: "", innerPid: null, everywhere: false };

/**
 * A lock whose process only seems gone (a container's), or that is oddly written, is asked all the same; an impostor's
 * is not.
 */
function mayHaveToken({ problems }: Ide): boolean {
  return problems.every(({ code, fatal }) => !fatal || HARMLESS.has(code));
}

const HARMLESS: ReadonlySet<string> = new Set(["process-gone", "not-a-lock-file"]);

/** The folders as they are written, for a person to see; the agent makes letters of a text. */
function foldersIn(text: string): readonly string[] {
  try {
    const { workspaceFolders } = JSON.parse(text);
    return [workspaceFolders]
      .flat()
      .filter((folder) => typeof folder === "string" && folder !== "");
  } catch {
    return [];
  }
}

/** What is wrong with a lock file's contents, in words. */
function faultsOf(text: string): readonly string[] {
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

/** A file as the agent comes by it: through links, whoever's it is. */
interface FileFact {
  readonly text: string | null;
  readonly otherwise: Reading;
  readonly writtenAt: number;
}

async function fileAt(path: string): Promise<FileFact> {
  const { O_RDONLY, O_NONBLOCK } = constants;
  const unreadable: FileFact = { text: null, otherwise: { kind: "unreadable" }, writtenAt: 0 };
  const handle = await open(path, O_RDONLY | O_NONBLOCK).catch(() => null);
  if (!handle) return unreadable;
  try {
    const stats = await handle.stat();
    // In whole milliseconds, as the agent compares them.
    const writtenAt = Math.floor(stats.mtimeMs);
    if (stats.isFIFO()) return { text: null, otherwise: { kind: "endless" }, writtenAt };
    if (!stats.isFile() || stats.size > LARGEST) return { ...unreadable, writtenAt };
    return { ...unreadable, text: await handle.readFile("utf8"), writtenAt };
  } finally {
    await handle.close();
  }
}

/** The first folder above with a `.git`; where that is a file, the repository is another folder's. */
async function mainWorktreeOf(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    const { text } = await fileAt(join(at, ".git"));
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

import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readdir, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { noFreePort, noFreeSlot } from "../errors.js";
import { lockPath, removeLock } from "./lock-file.js";
import { ignore, privateFolder, readPrivateFile, writePrivateFile } from "./private-files.js";
import { isRunning, type RunningProcess, thisProcess } from "./running-process.js";

/** A lease that nobody has used for this long is forgotten. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;
const RENEW_MS = 60 * 60 * 1000;
/** Editors on one folder at one time. */
const SLOTS = 32;
/** Somebody is guessing: after this many the token is not used for another run. */
const BAD_TOKENS = 100;

interface Stored {
  readonly port: number;
  readonly token: string;
  /** Null once the server has stopped in an orderly way. */
  readonly holder: RunningProcess | null;
  /** The token may be known to a stranger. */
  readonly burnt: boolean;
}

const TOKENS: Readonly<Record<TokenFormat, () => string>> = {
  uuid: randomUUID,
  "64-bytes": () => randomBytes(64).toString("base64url"),
};

/** What a workspace may have an endpoint for. */
const FACES = ["claude", "entrance"] as const;

/** Binds a port of 127.0.0.1; false if it is taken. 0 means any free one. */
export type Bind = (port: number) => Promise<number | false>;

export type TokenFormat = "uuid" | "64-bytes";

export interface LeaseOptions {
  readonly stateDir: string;
  readonly face: (typeof FACES)[number];
  readonly folders: readonly string[];
  readonly tokenFormat: TokenFormat;
  readonly bind: Bind;
}

/**
 * The port and token of a workspace, kept from one run of an editor to the next. An agent that lost
 * its editor tries the same port with the same token again and knows no other, so an editor that
 * restarts within seconds is found without a word.
 *
 * Holding the port is what holds the lease. Several editors on one workspace take one slot each.
 */
export class Lease {
  readonly port: number;
  readonly token: string;
  readonly #file: string;
  #burnt = false;
  #badTokens = 0;
  readonly #renewal: NodeJS.Timeout;

  private constructor(file: string, port: number, token: string) {
    this.#file = file;
    this.port = port;
    this.token = token;
    // One that is not renewed only counts as unused sooner.
    const renew = () => void utimes(file, new Date(), new Date()).catch(() => {});
    this.#renewal = setInterval(renew, RENEW_MS).unref();
  }

  static async take({ stateDir, face, folders, tokenFormat, bind }: LeaseOptions): Promise<Lease> {
    const leases = await leaseFolder(stateDir);
    const holder = await thisProcess();
    const name = leaseName(face, folders, tokenFormat);
    for (let slot = 0; slot < SLOTS; slot++) {
      const file = join(leases, `${name}-${slot}.json`);
      const lease = await Lease.#claim(file, holder, bind, TOKENS[tokenFormat]);
      if (lease) return lease;
    }
    throw noFreeSlot();
  }

  /** Null if a live server holds the slot. */
  static async #claim(
    file: string,
    holder: RunningProcess,
    bind: Bind,
    freshToken: () => string,
  ): Promise<Lease | null> {
    const last = await read(file);
    if (last?.holder && (await isRunning(last.holder))) return null;
    if (last && !last.burnt && (await bind(last.port))) {
      const { port, token } = last;
      await write(file, { port, token, holder, burnt: false });
      return new Lease(file, port, token);
    }
    // Nobody held the lease a moment ago: either a server like this one has just taken it,
    if (last && !last.burnt && (await isClaimedSoon(file))) return null;
    // or somebody else has the port, and agents may have sent the token there: never use it again.
    const port = await bind(0);
    if (!port) throw noFreePort();
    const fresh: Stored = { port, token: freshToken(), holder, burnt: false };
    const claimed = await write(file, fresh, { exclusive: last === null });
    // A server that started at the same moment was quicker, and its claim stands.
    return claimed ? new Lease(file, port, fresh.token) : null;
  }

  /** Counts a wrong token; from the hundredth on, this lease is not renewed by the next run. */
  async distrust(): Promise<void> {
    this.#badTokens++;
    if (this.#badTokens !== BAD_TOKENS) return;
    this.#burnt = true;
    await this.#store(await thisProcess());
  }

  /** The server stops; the next one may take over port and token. */
  async release(): Promise<void> {
    clearInterval(this.#renewal);
    await this.#store(null);
  }

  async #store(holder: RunningProcess | null): Promise<void> {
    await write(this.#file, { port: this.port, token: this.token, holder, burnt: this.#burnt });
  }
}

/**
 * Removes the lock files that crashed servers of ours left behind, and forgets old leases. A lock
 * file is ours if its token is in a lease; nobody else's is touched, and no living server's.
 */
export async function sweepLocks(stateDir: string, folders: readonly string[]): Promise<void> {
  const leases = await leaseFolder(stateDir);
  for (const name of await readdir(leases)) {
    const file = join(leases, name);
    const stored = parse(await readPrivateFile(file));
    if (!stored || (stored.holder && (await isRunning(stored.holder)))) continue;
    for (const folder of folders) await removeLock(lockPath(folder, stored.port), stored.token);
    if (await isExpired(file)) await unlink(file).catch(ignore("ENOENT"));
  }
}

/** Slots of one name are numbered. */
function leaseName(face: string, folders: readonly string[], tokenFormat: TokenFormat): string {
  const hash = createHash("sha256").update(JSON.stringify([face, folders, tokenFormat]));
  return hash.digest("hex").slice(0, 32);
}

/**
 * Forgets port and token of a workspace, or of all of them; a living server keeps its own. Agents
 * that still look for the old ones must be told anew. Answers how many leases were forgotten.
 */
export async function forgetLeases(
  stateDir: string,
  folders: readonly string[] | "all",
): Promise<number> {
  const leases = await leaseFolder(stateDir);
  const formats = Object.keys(TOKENS) as TokenFormat[];
  const names =
    folders === "all"
      ? null
      : FACES.flatMap((face) => formats.map((format) => leaseName(face, folders, format)));
  let forgotten = 0;
  for (const name of await readdir(leases)) {
    if (names && !names.some((one) => name.startsWith(`${one}-`))) continue;
    const stored = parse(await readPrivateFile(join(leases, name)));
    if (stored?.holder && (await isRunning(stored.holder))) continue;
    await unlink(join(leases, name)).catch(ignore("ENOENT"));
    forgotten++;
  }
  return forgotten;
}

/** Whether somebody who has bound the port writes the lease now: it takes a few milliseconds. */
async function isClaimedSoon(file: string): Promise<boolean> {
  for (let looks = 0; looks < 10; looks++) {
    const now = await read(file);
    if (now?.holder && (await isRunning(now.holder))) return true;
    await delay(20);
  }
  return false;
}

async function leaseFolder(stateDir: string): Promise<string> {
  return privateFolder(join(await privateFolder(stateDir), "leases"));
}

async function read(file: string): Promise<Stored | null> {
  const stored = parse(await readPrivateFile(file));
  // An unreadable or expired lease counts as burnt, not as absent: its file is there to be replaced.
  const there = stored ?? (await stat(file).catch(ignore("ENOENT")));
  if (!there) return null;
  if (!stored) return { port: 1, token: "", holder: null, burnt: true };
  return (await isExpired(file)) ? { ...stored, burnt: true } : stored;
}

/** Null for anything that we did not write ourselves, whole. */
function parse(text: string | null): Stored | null {
  try {
    const { port, token, holder, burnt } = JSON.parse(text ?? "null");
    const valid =
      Number.isInteger(port) &&
      port >= 1 &&
      port <= 65535 &&
      typeof token === "string" &&
      token.length >= 16 &&
      (holder === null || Number.isInteger(holder?.pid)) &&
      typeof burnt === "boolean";
    return valid ? { port, token, holder, burnt } : null;
  } catch {
    return null;
  }
}

async function isExpired(file: string): Promise<boolean> {
  const stats = await stat(file).catch(ignore("ENOENT"));
  return stats !== undefined && Date.now() - stats.mtimeMs > LIFETIME_MS;
}

function write(file: string, lease: Stored, options?: { exclusive: boolean }): Promise<boolean> {
  return writePrivateFile(file, JSON.stringify(lease), options);
}

import { randomBytes } from "node:crypto";
import { link, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  isRunning,
  type RunningProcess,
  readPrivateFile,
  thisProcess,
  writePrivateFile,
} from "@lockstep/server";

/** What a running editor tells of itself. */
export interface Announced {
  /** The agents' port. */
  readonly port: number;
  readonly lockFile: string;
  readonly workspaceFolders: readonly string[];
}

/** What the file of a running editor holds. */
export interface Running {
  readonly process: RunningProcess;
  /** Null until it is ready, and while it stops. */
  readonly ready: (Announced & { readonly doorPort: number; readonly secret: string }) | null;
}

/**
 * The file by which an editor holds its workspace: one folder has one editor at a time, because two
 * would write the same journal. Only this user can read it.
 */
export class RunningFile {
  static readonly NAME = "running.json";
  readonly #path: string;

  constructor(stateDir: string) {
    this.#path = join(stateDir, RunningFile.NAME);
  }

  /** The editor that holds the workspace; null if none does. A file left by a crash holds nothing. */
  async holder(): Promise<Running | null> {
    const running = parse(await readPrivateFile(this.#path));
    return running && (await isRunning(running.process)) ? running : null;
  }

  /**
   * Takes the workspace for this process; false if another process has it. A holder that is known to
   * be gone, although a process has its number, does not count.
   */
  async claim(gone?: Running): Promise<boolean> {
    const claim = JSON.stringify({ process: await thisProcess(), ready: null } satisfies Running);
    if (await writePrivateFile(this.#path, claim, { exclusive: true })) return true;
    await this.#clear(gone);
    return writePrivateFile(this.#path, claim, { exclusive: true });
  }

  /** For the process that holds it. */
  async announce(ready: Running["ready"]): Promise<void> {
    const running: Running = { process: await thisProcess(), ready };
    await writePrivateFile(this.#path, JSON.stringify(running));
  }

  /** Gives the workspace back; does nothing if another process has it. */
  async release(): Promise<void> {
    const running = parse(await readPrivateFile(this.#path));
    if (running?.process.pid === process.pid) await unlink(this.#path).catch(() => {});
  }

  /** Takes a left file away; a living one that came in its place meanwhile goes back. */
  async #clear(gone?: Running): Promise<void> {
    const isGone = async (running: Running | null) =>
      !running || isDeepStrictEqual(running, gone) || !(await isRunning(running.process));
    if (!(await isGone(parse(await readPrivateFile(this.#path))))) return;
    const aside = `${this.#path}.${randomBytes(6).toString("hex")}`;
    try {
      await rename(this.#path, aside);
    } catch {
      // Somebody else was faster, and the claim that follows tells.
      return;
    }
    if (!(await isGone(parse(await readPrivateFile(aside))))) {
      await link(aside, this.#path).catch(() => {});
    }
    await unlink(aside);
  }
}

/** Null for anything that we did not write ourselves, whole. */
function parse(text: string | null): Running | null {
  try {
    const running = JSON.parse(text ?? "null");
    if (!Number.isInteger(running?.process?.pid)) return null;
    const { ready } = running;
    const valid =
      ready === null ||
      (Number.isInteger(ready?.port) &&
        Number.isInteger(ready.doorPort) &&
        typeof ready.lockFile === "string" &&
        typeof ready.secret === "string" &&
        Array.isArray(ready.workspaceFolders));
    return valid ? running : null;
  } catch {
    return null;
  }
}

import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { lockFilePort } from "@lockstep/protocol";
import { type Ide, isUsable, type Problem } from "./ide.js";
import { lockFolders } from "./lock-folders.js";
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
    if (twin) merged[at] = { ...twin, lockFiles: [...twin.lockFiles, ...ide.lockFiles] };
    else merged.push(ide);
  }
  return merged;
}

/** A living process proves little: its server may be gone. */
async function withListening(ide: Ide): Promise<Ide> {
  if (!isUsable(ide) || (await isListening(ide.port))) return ide;
  return { ...ide, problems: [...ide.problems, NOT_LISTENING] };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: 1_000 });
    const answer = (listening: boolean) => {
      socket.destroy();
      resolve(listening);
    };
    socket.once("connect", () => answer(true));
    socket.once("error", () => answer(false));
    socket.once("timeout", () => answer(false));
  });
}

const NOT_LISTENING: Problem = {
  code: "not-listening",
  fatal: true,
  message: "Nothing listens on the port; the lock file was left behind. Restart the editor.",
};

import { existsSync } from "node:fs";
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { LockFile, readJson } from "@lockstep/protocol";
import { homeFolder, namedFolder } from "./home-folder.js";
import { ignore, privateFolder, readPrivateFile, writePrivateFile } from "./private-files.js";

/** What a server announces of itself; the CLI's own order of the keys. */
export interface Announcement {
  readonly pid: number;
  readonly workspaceFolders: readonly string[];
  readonly ideName: string;
  readonly transport: "ws";
  readonly runningInWindows: boolean;
  readonly authToken: string;
}

/**
 * The folders that lock files go into, made if needed, without doubles. Agents look in
 * `$CLAUDE_CONFIG_DIR/ide` or `~/.claude/ide`; some tools look in the XDG place, so a copy goes
 * there if it is in use and nobody chose another.
 */
export async function lockFolders(
  configDir: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const chosen = configDir ?? env.CLAUDE_CONFIG_DIR;
  if (chosen) return [await privateFolder(join(chosen, "ide"))];
  const folders = [await privateFolder(join(homeFolder(), ".claude", "ide"))];
  const xdg = join(namedFolder(env.XDG_CONFIG_HOME) ?? join(homeFolder(), ".config"), "claude");
  if (existsSync(xdg)) folders.push(await privateFolder(join(xdg, "ide")));
  return [...new Set(folders)];
}

export const lockPath = (folder: string, port: number): string => join(folder, `${port}.lock`);

export async function writeLock(path: string, announcement: Announcement): Promise<void> {
  await writePrivateFile(path, JSON.stringify(announcement));
}

/** Removes a lock file, but only one that carries this token: it may be somebody else's by now. */
export async function removeLock(path: string, token: string): Promise<void> {
  const text = await readPrivateFile(path);
  if (text === null || tokenOf(text) !== token) return;
  await unlink(path).catch(ignore("ENOENT"));
}

function tokenOf(text: string): string | undefined {
  const reading = readJson(LockFile, text);
  return reading.ok ? reading.data.authToken : undefined;
}

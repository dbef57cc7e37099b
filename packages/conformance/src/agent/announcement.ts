import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface Announcement {
  readonly configDir: string;
  readonly folder: string;
  readonly port: number;
  readonly token: string;
}

/** Writes the lock file of the scripted editor; answers its path. */
export async function announce(announcement: Announcement): Promise<string> {
  const { configDir, folder, port, token } = announcement;
  const ide = join(configDir, "ide");
  await mkdir(ide, { recursive: true, mode: 0o700 });
  const path = join(ide, `${port}.lock`);
  const lock = {
    // An ancestor of the agent, as agents in an editor's terminal expect it.
    pid: process.pid,
    workspaceFolders: [folder],
    ideName: "Lockstep verify",
    transport: "ws",
    runningInWindows: process.platform === "win32",
    authToken: token,
  };
  await rm(path, { force: true });
  await writeFile(path, JSON.stringify(lock), { mode: 0o600, flag: "wx" });
  return path;
}

import { homedir } from "node:os";
import { join } from "node:path";

/** Where Lockstep keeps what outlives a process, by the custom of the system. */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (process.platform === "win32") {
    return join(env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "lockstep");
  }
  if (process.platform === "darwin") {
    return join(homedir(), "Library", "Application Support", "lockstep");
  }
  return join(env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "lockstep");
}

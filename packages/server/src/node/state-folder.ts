import { join } from "node:path";
import { homeFolder, namedFolder } from "./home-folder.js";

/** Where Lockstep keeps what outlives a process, by the custom of the system. */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (process.platform === "win32") {
    return join(env.LOCALAPPDATA ?? join(homeFolder(), "AppData", "Local"), "lockstep");
  }
  if (process.platform === "darwin") {
    return join(homeFolder(), "Library", "Application Support", "lockstep");
  }
  return join(namedFolder(env.XDG_STATE_HOME) ?? join(homeFolder(), ".local", "state"), "lockstep");
}

import { forgetLeases, sweepLocks } from "./lease.js";
import { lockFolders } from "./lock-file.js";
import { stateFolder } from "./state-folder.js";

export interface ForgetOptions {
  /** The folders of one workspace, as its server named them; or the workspaces of this user. */
  readonly folders: readonly string[] | "all";
  /** Where lock files were written, if not in the usual place. */
  readonly configDir?: string;
}

/**
 * Forgets the ports and tokens that are kept for the next run, and removes the lock files that crashed
 * servers left behind; a running server keeps its own. Answers how many were forgotten.
 */
export async function forgetEndpoints({ folders, configDir }: ForgetOptions): Promise<number> {
  const stateDir = stateFolder();
  // A lock file is known as ours by its lease, so it has to go first.
  await sweepLocks(stateDir, await lockFolders(configDir, process.env));
  return forgetLeases(stateDir, folders);
}

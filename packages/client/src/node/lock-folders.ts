import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** Every folder in which editors leave lock files, that exists, under its real path, once. */
export async function lockFolders(
  env: NodeJS.ProcessEnv,
  configDir: string | undefined,
): Promise<readonly string[]> {
  const parents = [
    configDir,
    env.CLAUDE_CONFIG_DIR,
    join(homedir(), ".claude"),
    join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "claude"),
  ];
  const folders = parents.filter((parent) => parent).map((parent) => join(parent ?? "", "ide"));
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  return [...new Set(real.filter((folder) => folder !== null))];
}

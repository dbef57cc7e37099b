import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { isWithin } from "@lockstep/protocol";

/**
 * The folders that programs are looked for in. What the workspace brings with it is not among them,
 * even if it is in the PATH, as `npx` puts it there: such a program is the project's, not the person's.
 */
export async function programFolders(
  env: NodeJS.ProcessEnv,
  workspace: readonly string[],
): Promise<readonly string[]> {
  const folders = (env.PATH ?? "").split(delimiter).filter(isAbsolute);
  const outside = await Promise.all(
    folders.map(async (folder) => {
      const real = await realpath(folder).catch(() => null);
      return real !== null && !workspace.some((root) => isWithin(real, root));
    }),
  );
  return folders.filter((_, index) => outside[index]);
}

/** The first that can be run and is not of the workspace, links followed; null if there is none. */
export async function findProgram(
  name: string,
  folders: readonly string[],
  workspace: readonly string[] = [],
): Promise<string | null> {
  for (const folder of folders) {
    const path = join(folder, name);
    if (!(await isProgram(path))) continue;
    const real = await realpath(path);
    if (!workspace.some((root) => isWithin(real, root))) return path;
  }
  return null;
}

export async function isProgram(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isFile()) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

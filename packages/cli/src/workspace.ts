import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { privateFolder, readPrivateFile, stateFolder, writePrivateFile } from "@lockstep/server";
import { UsageError } from "./command.js";

/** The folder that was named on the command line, without links. */
export async function workspace(given: string): Promise<string> {
  const folder = await realpath(given).catch(() => null);
  if (!folder || !(await stat(folder)).isDirectory()) {
    throw new UsageError(`There is no folder ${given}`);
  }
  return folder;
}

/** Where the states of all workspaces are. */
export function statesFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(stateFolder(env), "workspaces");
}

/** Where the state of one is; it need not be there. */
export function statePath(folder: string, env?: NodeJS.ProcessEnv): string {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  return join(statesFolder(env), name);
}

/** The same, made if needed, and closed to others. It says whose state it is. */
export async function stateOf(folder: string): Promise<string> {
  await privateFolder(stateFolder());
  await privateFolder(statesFolder());
  const state = await privateFolder(statePath(folder));
  await writePrivateFile(join(state, NAME_FILE), JSON.stringify({ folder }));
  return state;
}

/** The folder that a state is of; null if it does not say. */
export async function folderOf(state: string): Promise<string | null> {
  try {
    const { folder } = JSON.parse((await readPrivateFile(join(state, NAME_FILE))) ?? "{}");
    return typeof folder === "string" ? folder : null;
  } catch {
    return null;
  }
}

const NAME_FILE = "workspace.json";

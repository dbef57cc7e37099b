import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { printable } from "@lockstep/protocol";
import { forgetEndpoints } from "@lockstep/server";
import { keptWork } from "@lockstep/workbench";
import { type Command, EXIT, UsageError } from "../command.js";
import { RunningFile } from "../editor/running-file.js";
import { folderOf, statePath, statesFolder, workspace } from "../workspace.js";

const help = `lockstep reset [folder] [--all] [--yes] [--config-dir DIR]

Forgets what Lockstep keeps of a folder: open tabs, views, the port and token for
agents, the keys of browsers, unsaved edits, drafts of reviews, deleted files that
could be brought back. Without a folder it is the current one. Your files, and your
settings, stay as they are.

Unsaved edits and the like are named first, and removed only if you agree. Nothing
is removed while the editor runs.

  --all               every folder of yours
  --yes               do not ask
  --config-dir DIR    look for left lock files in DIR/ide instead of ~/.claude/ide

Examples:
  lockstep reset
  lockstep reset ~/project --yes
  lockstep reset --all`;

/** The state of one workspace. */
interface State {
  readonly path: string;
  /** How it is called when the person is told of it. */
  readonly name: string;
}

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      all: { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      "config-dir": { type: "string" },
    },
  });
  if (positionals.length > 1) throw new UsageError("reset takes one folder");
  if (values.all && positionals.length > 0) {
    throw new UsageError("reset takes a folder or --all, not both");
  }
  const folder = values.all ? null : await workspace(positionals[0] ?? ".");
  const states = folder === null ? await allStates() : [{ path: statePath(folder), name: folder }];
  let left = 0;
  for (const state of states) if (!(await reset(state, values.yes))) left++;
  if (left > 0) return EXIT.failed;
  const configDir = values["config-dir"];
  const count = await forgetEndpoints({ folders: folder === null ? "all" : [folder], configDir });
  if (count > 0) console.log(`Forgot ${count === 1 ? "a port" : `${count} ports`} for agents.`);
  return EXIT.ok;
}

async function allStates(): Promise<readonly State[]> {
  const names = await readdir(statesFolder()).catch(() => []);
  const states = names.sort().map(async (name) => {
    const path = join(statesFolder(), name);
    return { path, name: (await folderOf(path)) ?? path };
  });
  return Promise.all(states);
}

/** False if it was left as it is. */
async function reset({ path, name }: State, yes: boolean): Promise<boolean> {
  const folder = printable(name);
  if (!existsSync(path)) {
    console.log(`Lockstep keeps nothing of ${folder}.`);
    return true;
  }
  const file = new RunningFile(path);
  if (!(await file.claim())) {
    const pid = (await file.holder())?.process.pid;
    console.error(
      `The editor runs on ${folder} (process ${pid}). Stop it first; nothing was removed.`,
    );
    return false;
  }
  try {
    const work = await keptWork(path);
    if (work.length > 0) console.log(listing(folder, work));
    if (work.length > 0 && !yes && !(await agrees())) {
      console.error(`Nothing of ${folder} was removed.`);
      return false;
    }
    await remove(path);
    console.log(`Removed what Lockstep kept of ${folder}.`);
    return true;
  } finally {
    await file.release();
  }
}

/** The file that keeps others away goes last. */
async function remove(path: string): Promise<void> {
  for (const name of await readdir(path)) {
    if (name !== RunningFile.NAME) await rm(join(path, name), { recursive: true, force: true });
  }
  await rm(path, { recursive: true, force: true });
}

function listing(folder: string, work: readonly string[]): string {
  const lines = work.map((line) => `  ${printable(line)}`);
  return [`This work in ${folder} is nowhere else:`, ...lines].join("\n");
}

/** Only a person at a terminal can be asked. */
async function agrees(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.error("Add --yes to remove it.");
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question("Remove it for good? (yes/no) ")).trim());
  } finally {
    terminal.close();
  }
}

export const command: Command = { help, run };

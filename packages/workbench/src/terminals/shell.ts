import { constants, statSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { isWithin } from "@lockstep/protocol";
import { WorkbenchError } from "../errors.js";

/**
 * What describes the terminal that Lockstep itself was started in, or the npm that started it, and
 * would be wrong in ours; and what is Lockstep's own business.
 */
const NOT_OURS_TO_PASS_ON =
  /^(LOCKSTEP_.*|npm_.*|INIT_CWD|TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|TERMCAP|COLUMNS|LINES|TERM_PROGRAM_VERSION|TERM_SESSION_ID|TERMINAL_EMULATOR|VSCODE_.*|CLAUDECODE|CLAUDE_CODE_ENTRYPOINT)$/;

/** The environment of a program in our terminal: no token is in it, the agent reads the lock file. */
export function shellEnvironment(
  base: Readonly<NodeJS.ProcessEnv>,
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(base).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !NOT_OURS_TO_PASS_ON.test(entry[0]),
  );
  return {
    ...Object.fromEntries(kept),
    ...added,
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    TERM_PROGRAM: "lockstep",
  };
}

export interface ShellChoice {
  /** The setting that holds, and the user's own; "" for none. */
  readonly setting: string;
  readonly usersSetting: string;
  readonly folders: readonly string[];
  readonly env: Readonly<NodeJS.ProcessEnv>;
}

/** The shell to start, as an absolute path. Fails with what to change. */
export async function chooseShell({
  setting,
  usersSetting,
  folders,
  env,
}: ShellChoice): Promise<string> {
  if (setting === "") return fallback(env);
  const found = isAbsolute(setting) ? setting : await findProgram(setting, env);
  if (found === null || !(await isProgram(found))) {
    throw new WorkbenchError(
      `The shell ${setting} cannot be run. Correct terminalShell in the settings.`,
    );
  }
  // A project that was downloaded must not choose which of its own files is run here.
  if (setting !== usersSetting && folders.some((folder) => isWithin(found, folder))) {
    throw new WorkbenchError(
      `The project asks for its own file ${setting} as the shell. To allow it, set terminalShell in your user settings.`,
    );
  }
  return found;
}

/** Where a program is on the PATH; null if it is not there. Relative entries are not looked at. */
export async function findProgram(
  name: string,
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<string | null> {
  if (name.includes("/")) return null;
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const path = join(folder, name);
    if (await isProgram(path)) return path;
  }
  return null;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function fallback(env: Readonly<NodeJS.ProcessEnv>): string {
  const { SHELL } = env;
  if (SHELL === undefined || !isAbsolute(SHELL)) return "/bin/sh";
  return statSync(SHELL, { throwIfNoEntry: false })?.isFile() ? SHELL : "/bin/sh";
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The command as it is installed, over the build. */
export const LOCKSTEP = fileURLToPath(new URL("../bin/lockstep.js", import.meta.url));

/** A program may take long to start where many do. */
export const PATIENCE = { timeout: 20_000 };

/** A home of its own for the commands of one test, so that nothing of this machine is seen. */
export async function freshHome(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), "lockstep-cli-")));
}

export function start(
  home: string,
  args: readonly string[],
  cwd = process.cwd(),
  more: NodeJS.ProcessEnv = {},
): ChildProcess {
  const { PATH } = process.env;
  return spawn(process.execPath, [LOCKSTEP, ...args], { cwd, env: { PATH, HOME: home, ...more } });
}

/** Runs a command to its end. */
export async function run(
  home: string,
  args: readonly string[],
  cwd?: string,
  env?: NodeJS.ProcessEnv,
) {
  const child = start(home, args, cwd, env);
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => (stdout += chunk));
  child.stderr?.on("data", (chunk) => (stderr += chunk));
  const [code] = await once(child, "close");
  return { code: code as number, stdout, stderr };
}

/** What `--json` prints when a command is ready. */
export interface Ready {
  /** Of the editor's page; a server without one has none. */
  readonly url: string;
  readonly port: number;
  readonly lockFile: string;
  readonly pid: number;
  readonly workspaceFolders: readonly string[];
}

/** A command that runs until it is disposed of, and the line of JSON that it printed. */
export async function readyJson(home: string, args: readonly string[], cwd?: string) {
  const child = start(home, [...args, "--json"], cwd);
  child.stderr?.pipe(process.stderr);
  let stdout = "";
  child.stdout?.on("data", (chunk) => (stdout += chunk));
  const exited = once(child, "close");
  const [line] = await once(createInterface({ input: child.stdout as never }), "line");
  return {
    ready: JSON.parse(line) as Ready,
    printed: () => stdout,
    async stop(signal: NodeJS.Signals): Promise<number> {
      child.kill(signal);
      return (await exited)[0];
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

export function serveJson(home: string, args: readonly string[], cwd?: string) {
  return readyJson(home, ["serve", ...args], cwd);
}

export function openJson(home: string, args: readonly string[], cwd?: string) {
  return readyJson(home, [...args, "--no-open"], cwd);
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The command as it is installed, over the build. */
const LOCKSTEP = fileURLToPath(new URL("../bin/lockstep.js", import.meta.url));

/** A home of its own for the commands of one test, so that nothing of this machine is seen. */
export async function freshHome(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), "lockstep-cli-")));
}

export function start(home: string, args: readonly string[], cwd = process.cwd()): ChildProcess {
  const { PATH } = process.env;
  return spawn(process.execPath, [LOCKSTEP, ...args], { cwd, env: { PATH, HOME: home } });
}

/** Runs a command to its end. */
export async function run(home: string, args: readonly string[], cwd?: string) {
  const child = start(home, args, cwd);
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => (stdout += chunk));
  child.stderr?.on("data", (chunk) => (stderr += chunk));
  const [code] = await once(child, "close");
  return { code: code as number, stdout, stderr };
}

/** A server that runs until it is disposed of, and the line of JSON that it printed. */
export async function serveJson(home: string, args: readonly string[], cwd?: string) {
  const child = start(home, ["serve", "--json", ...args], cwd);
  child.stderr?.pipe(process.stderr);
  const exited = once(child, "close");
  const [line] = await once(createInterface({ input: child.stdout as never }), "line");
  return {
    ready: JSON.parse(line) as {
      port: number;
      lockFile: string;
      pid: number;
      workspaceFolders: string[];
    },
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

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { SetupError } from "@lockstep/server";
import type { Guard } from "./guard.js";

export interface HeadlessOptions {
  readonly folder: string;
  readonly configDir: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly guard: Guard;
}

/** An editor on the folder that nobody looks at, unless a person opens its page. */
export interface HeadlessEditor {
  readonly port: number;
  readonly lockFile: string;
  /** The address of its page, which works once. */
  readonly url: string;
  /** Its process; null for one that was there before, and stays. */
  readonly pid: number | null;
  stop(): Promise<void>;
}

/** How long an editor may take to start on a busy machine, and to put its things in order. */
const START_MS = 60_000;
const STOP_MS = 10_000;

/**
 * Starts the editor in a process of its own. It is in no terminal's group, so that Ctrl+C reaches
 * the command alone, and what it has to say does not disturb the command's screen.
 */
export async function startHeadless(options: HeadlessOptions): Promise<HeadlessEditor> {
  const { folder, configDir, env, guard } = options;
  const args = [folder, "--no-open", "--json", ...(configDir ? ["--config-dir", configDir] : [])];
  const child = spawn(process.execPath, [process.argv[1] ?? "", ...args], {
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  guard.watch(child.pid, "TERM");
  const ended = once(child, "exit");
  let complaint = "";
  child.stderr.on("data", (chunk) => (complaint = (complaint + chunk).slice(0, 4096)));
  try {
    const line = await firstLine(child, ended, () => complaint);
    const { port, lockFile, url, pid } = JSON.parse(line);
    const own = pid === child.pid;
    return { port, lockFile, url, pid: own ? pid : null, stop: () => stop(child, ended) };
  } catch (error) {
    await stop(child, ended);
    throw error;
  }
}

async function firstLine(
  child: ChildProcess,
  ended: Promise<unknown>,
  complaint: () => string,
): Promise<string> {
  const patience = AbortSignal.timeout(START_MS);
  const lines = createInterface({ input: child.stdout as never });
  const line = once(lines, "line", { signal: patience });
  const [first] = await Promise.race([
    line,
    ended.then(
      () => line.catch(() => []),
      () => [],
    ),
  ]).catch(() => []);
  if (typeof first === "string") return first;
  const why = complaint()
    .trim()
    .replace(/^lockstep: /, "");
  throw new SetupError(
    "folder-unusable",
    `No editor could be started for this folder${why ? `: ${why}` : "."}`,
  );
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const impatient = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(impatient);
}

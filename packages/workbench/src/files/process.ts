import { spawn } from "node:child_process";

export interface Outcome {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly input?: string | Buffer;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  /** It is the project's: what it starts ends with it, and nobody waits for what keeps its output open. */
  readonly withAll?: boolean;
  /** Given: it gets what the process writes, and `stdout` stays empty. False ends the process. */
  readonly onData?: (chunk: Buffer) => boolean;
}

/** What is kept of complaints. */
const MOST_COMPLAINTS = 16_384;

/**
 * Runs a program to its end, without a shell. Fails only if it cannot be started; a process that
 * was ended by the signal has no code.
 */
export function run(
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<Outcome> {
  const { cwd, input, env, signal, onData, withAll = false } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return resolve({ code: null, stdout: Buffer.alloc(0), stderr: "" });
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: withAll,
    });
    const chunks: Buffer[] = [];
    let stderr = "";
    let wanted = true;
    const hear = (chunk: Buffer, listener: (chunk: Buffer) => boolean) => {
      try {
        wanted = listener(chunk);
      } catch (problem) {
        wanted = false;
        reject(problem);
      }
      if (!wanted) end();
    };
    const end = () => {
      try {
        if (withAll && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        else child.kill("SIGKILL");
      } catch {
        // All of them have ended.
      }
    };
    signal?.addEventListener("abort", end, { once: true });
    child.stdout.on("data", (chunk: Buffer) => {
      if (!onData) chunks.push(chunk);
      else if (wanted) hear(chunk, onData);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderr.length < MOST_COMPLAINTS) stderr += chunk.toString();
    });
    child.on("error", reject);
    if (withAll) child.on("exit", end);
    child.on("close", (code) => {
      signal?.removeEventListener("abort", end);
      resolve({ code, stdout: Buffer.concat(chunks), stderr });
    });
    // It may end before it has read all.
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
  });
}

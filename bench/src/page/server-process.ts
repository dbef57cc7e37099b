import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { within } from "./patience.js";

/** Characters of a server's last words. */
const MOST_COMPLAINTS = 4_000;

export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** A server in a process of its own, which ends with the bench at the latest, and its children with it. */
export class ServerProcess implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #kill: () => void;

  private constructor(process: ChildProcess) {
    this.#process = process;
    this.#exited = once(process, "exit");
    this.#kill = () => signalGroup(process, "SIGKILL");
    globalThis.process.on("exit", this.#kill);
  }

  /** Resolves with the first line of its output that `isReady` is true of. */
  static async start(
    { program, args, env }: ServerCommand,
    isReady: (line: string) => boolean,
  ): Promise<{ readonly server: ServerProcess; readonly line: string }> {
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const child = spawn(program, args, { env, stdio: [...stdio], detached: true });
    // What it complains of is told only if it does not start.
    let complaints = "";
    child.stderr.on("data", (data: Buffer) => {
      complaints = (complaints + data.toString()).slice(-MOST_COMPLAINTS);
    });
    const server = new ServerProcess(child);
    const ready = new Promise<string>((resolve, reject) => {
      const lines = createInterface({ input: child.stdout });
      lines.on("line", (line) => isReady(line) && resolve(line));
      child.once("exit", (code) =>
        reject(new Error(`${program} ended at its start with ${code}: ${complaints}`)),
      );
      child.once("error", reject);
    });
    try {
      return { server, line: await within(ready, `${program} was not ready`) };
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off("exit", this.#kill);
    try {
      if (this.#process.exitCode !== null || this.#process.pid === undefined) return;
      this.#process.kill("SIGTERM");
      await within(this.#exited, "The server did not end");
    } finally {
      this.#kill();
    }
  }
}

/** Some of its processes, or all, may have ended already. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

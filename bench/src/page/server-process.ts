import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { within } from "./patience.js";

export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** A server in a process of its own, which ends with the bench at the latest. */
export class ServerProcess implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #kill: () => void;

  private constructor(process: ChildProcess) {
    this.#process = process;
    this.#exited = once(process, "exit");
    this.#kill = () => void process.kill("SIGKILL");
    globalThis.process.on("exit", this.#kill);
  }

  /** Resolves with the first line of its output that `isReady` is true of. */
  static async start(
    { program, args, env }: ServerCommand,
    isReady: (line: string) => boolean,
  ): Promise<{ readonly server: ServerProcess; readonly line: string }> {
    const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    const server = new ServerProcess(child);
    const ready = new Promise<string>((resolve, reject) => {
      const lines = createInterface({ input: child.stdout });
      lines.on("line", (line) => isReady(line) && resolve(line));
      child.once("exit", (code) => reject(new Error(`${program} ended at its start with ${code}`)));
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
    if (this.#process.exitCode !== null || this.#process.pid === undefined) return;
    this.#process.kill("SIGTERM");
    try {
      await within(this.#exited, "The server did not end");
    } finally {
      this.#kill();
    }
  }
}

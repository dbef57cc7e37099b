import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { within } from "./bounded.js";
import type { Workspace } from "./workspace.js";

const program = fileURLToPath(new URL("../../packages/cli/bin/lockstep.js", import.meta.url));

export interface Announcement {
  readonly port: number;
  readonly lockFile: string;
  readonly pid: number;
  readonly workspaceFolders: readonly string[];
}

/** The command as it is shipped: `lockstep serve --json`, built, in its own process. */
export class ServeCommand {
  readonly announcement: Announcement;
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown[]>;

  private constructor(process: ChildProcess, exited: Promise<unknown[]>, line: string) {
    this.#process = process;
    this.#exited = exited;
    this.announcement = JSON.parse(line) as Announcement;
  }

  static async start(workspace: Workspace, ...args: readonly string[]): Promise<ServeCommand> {
    const { project, configDir, stateDir, home } = workspace;
    const child = spawn(
      process.execPath,
      [program, "serve", project, "--json", "--config-dir", configDir, ...args],
      {
        env: { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: stateDir },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const exited = once(child, "exit");
    const line = once(createInterface({ input: child.stdout }), "line");
    const early = exited.then(([code]) => {
      throw new Error(`lockstep serve ended at its start with ${code}`);
    });
    const [first] = await within(30_000, Promise.race([line, early]), () => "lockstep serve");
    return new ServeCommand(child, exited, String(first));
  }

  /** Resolves to its exit code. */
  async stop(): Promise<unknown> {
    this.#process.kill("SIGTERM");
    const [code] = await within(10_000, this.#exited, () => "lockstep serve to stop");
    return code;
  }
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { within } from "./bounded.js";
import type { Workspace } from "./workspace.js";

export const PROGRAM = fileURLToPath(
  new URL("../../packages/cli/bin/lockstep.js", import.meta.url),
);

export interface Announcement {
  readonly port: number;
  readonly lockFile: string;
  readonly pid: number;
  readonly workspaceFolders: readonly string[];
  /** Where the page is; the headless server has none. */
  readonly url?: string;
}

/** The command as it is shipped: built, in its own process, with folders of the test's own. */
export class LockstepCommand {
  readonly announcement: Announcement;
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown[]>;

  private constructor(process: ChildProcess, exited: Promise<unknown[]>, line: string) {
    this.#process = process;
    this.#exited = exited;
    this.announcement = JSON.parse(line) as Announcement;
  }

  /** `lockstep serve`, the headless server. */
  static serve(workspace: Workspace, ...args: readonly string[]): Promise<LockstepCommand> {
    return LockstepCommand.#start(workspace, ["serve", workspace.project, ...args], {});
  }

  /** `lockstep`, the editor, without a browser. A command `through` starts the one that comes after it. */
  static edit(
    workspace: Workspace,
    env: Readonly<Record<string, string>> = {},
    through: readonly string[] = [],
  ): Promise<LockstepCommand> {
    return LockstepCommand.#start(workspace, [workspace.project, "--no-open"], env, through);
  }

  /** `lockstep demo`, without a browser. */
  static demo(workspace: Workspace): Promise<LockstepCommand> {
    return LockstepCommand.#start(workspace, ["demo", "--no-open"], {});
  }

  static async #start(
    { configDir, stateDir, home, temporary }: Workspace,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    through: readonly string[] = [],
  ): Promise<LockstepCommand> {
    const command = [process.execPath, PROGRAM, ...args, "--json", "--config-dir", configDir];
    const [program = process.execPath, ...rest] = [...through, ...command];
    const child = spawn(program, rest, {
      env: {
        PATH: process.env.PATH,
        HOME: home,
        TMPDIR: temporary,
        XDG_STATE_HOME: stateDir,
        SHELL: "/bin/bash",
        ...env,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    const line = once(createInterface({ input: child.stdout }), "line");
    const early = exited.then(([code]) => {
      throw new Error(`lockstep ended at its start with ${code}`);
    });
    const [first] = await within(30_000, Promise.race([line, early]), () => "lockstep to start");
    return new LockstepCommand(child, exited, String(first));
  }

  /** Resolves to its exit code. */
  async stop(): Promise<unknown> {
    return this.#end("SIGTERM");
  }

  /** As a crash would: nothing can be put in order. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async #end(signal: NodeJS.Signals): Promise<unknown> {
    this.#process.kill(signal);
    const [code] = await within(10_000, this.#exited, () => "lockstep to stop");
    return code;
  }
}

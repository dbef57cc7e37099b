import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface KernelCommand {
  readonly argv: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Removed with the kernel, also when this process is killed. */
  readonly folder: string;
}

/** What is kept of what the process writes beside its messages, for the sentence that says why it ended. */
const KEPT = 4_000;
/** How long a kernel that was asked to end may take. */
const PATIENCE_MS = 3_000;

/**
 * Waits until its standard input ends, which is when this process does, however that comes about; then
 * ends the kernel and all that it has started. A kernel's own watch over its parent fails where orphans
 * go to another process than the first.
 */
const GUARD = 'read -r _; kill -s KILL -- "-$1" 2>/dev/null; rm -rf -- "$2"';

/** The process of a kernel, in a group of its own with what it starts. */
export class KernelProcess {
  readonly #child: ChildProcess;
  readonly #guard: ChildProcess | null;
  /** Resolves to a few words on how it ended, such as "signal SIGKILL". */
  readonly ended: Promise<string>;
  #tail = "";
  #isOver = false;

  private constructor(
    child: ChildProcess,
    readonly pid: number,
    folder: string,
  ) {
    this.#child = child;
    const keep = (chunk: Buffer) => {
      this.#tail = (this.#tail + chunk.toString()).slice(-KEPT);
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    this.#guard = process.platform === "win32" ? null : guard(pid, folder);
    this.ended = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#isOver = true;
        // What it has started must not stay behind either.
        this.#signal("SIGKILL");
        this.#guard?.kill("SIGKILL");
        resolve(signal ? `signal ${signal}` : `exit code ${code}`);
      });
    });
  }

  /** Fails if the program cannot be started. */
  static async start({ argv, env, cwd, folder }: KernelCommand): Promise<KernelProcess> {
    const [program, ...args] = argv;
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    const child = spawn(program, args, { cwd, env, stdio, detached: true });
    await once(child, "spawn");
    const { pid } = child;
    if (pid === undefined) throw new Error("A process without a number");
    return new KernelProcess(child, pid, folder);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The last that it wrote beside its messages. */
  get tail(): string {
    return this.#tail;
  }

  interrupt(): void {
    this.#signal("SIGINT");
  }

  /** Ends it: in good order if it can. */
  async end(askToEnd: () => void): Promise<void> {
    if (this.#isOver) return;
    askToEnd();
    const late = setTimeout(() => this.#signal("SIGKILL"), PATIENCE_MS);
    await this.ended;
    clearTimeout(late);
  }

  kill(): void {
    this.#signal("SIGKILL");
  }

  /** To the kernel and to what it has started. */
  #signal(signal: NodeJS.Signals): void {
    try {
      if (process.platform === "win32") this.#child.kill(signal);
      else process.kill(-this.pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

function guard(pid: number, folder: string): ChildProcess {
  const args = ["-c", GUARD, "lockstep-kernel-guard", String(pid), folder];
  // Out of reach of what a terminal sends to this process.
  const child = spawn("/bin/sh", args, { stdio: ["pipe", "ignore", "ignore"], detached: true });
  child.on("error", () => {});
  child.stdin?.on("error", () => {});
  child.unref();
  return child;
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface Surroundings {
  /** HOME of the process, of which nothing is passed on by default; undefined leaves it unset. */
  readonly home?: string;
  readonly folder: string;
  readonly cwd?: string;
  readonly configDir?: string;
  readonly stateDir?: string;
  /** The user to become, which only root can; everybody else stays who they are. */
  readonly uid?: number;
  /** What the editor says each time that it is asked for its selection, and fails. */
  readonly fault?: string;
  /** A command that runs the process in other surroundings: it gets the process's own appended. */
  readonly wrapper?: readonly string[];
}

export interface Ready {
  readonly port: number;
  readonly lockFiles: readonly string[];
}

export interface Refused {
  readonly code: string;
  readonly message: string;
  /** What is in the folder for lock files afterwards, as the process itself sees it. */
  readonly left: readonly string[];
}

const PROGRAM = fileURLToPath(new URL("server-program.ts", import.meta.url));
const NODE = [process.execPath, "--import", "tsx", "--conditions", "@lockstep/source", PROGRAM];

/** A server in a process of its own, because its surroundings are the process's. */
export class ServerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<number | null>;
  readonly outcome: Ready | Refused;
  printed: string;

  private constructor(child: ChildProcess, outcome: Ready | Refused, printed: string) {
    this.#child = child;
    this.outcome = outcome;
    this.printed = printed;
    this.#exited =
      child.exitCode === null
        ? once(child, "close").then(([code]) => code)
        : Promise.resolve(child.exitCode);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk) => (this.printed += chunk));
    }
  }

  static async start(surroundings: Surroundings): Promise<ServerProcess> {
    const { home, wrapper = [], ...told } = surroundings;
    const [command = "", ...args] = [...wrapper, ...NODE, JSON.stringify(told)];
    const { PATH } = process.env;
    const child = spawn(command, args, {
      cwd: fileURLToPath(new URL(".", import.meta.url)),
      env: { PATH, ...(home === undefined ? {} : { HOME: home }) },
    });
    let printed = "";
    const collect = (chunk: Buffer) => (printed += chunk);
    child.stderr.on("data", collect);
    const line = new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once("line", resolve);
      child.once("close", () => reject(new Error(`It said nothing but: ${printed}`)));
    });
    const outcome = JSON.parse(await line) as Ready | Refused;
    child.stderr.off("data", collect);
    return new ServerProcess(child, outcome, printed);
  }

  /** What a start that cannot succeed says, once the process has ended by itself. */
  static async refused(surroundings: Surroundings): Promise<Refused> {
    await using child = await ServerProcess.start(surroundings);
    if (!("code" in child.outcome)) throw new Error("It started all the same");
    await child.#exited;
    return child.outcome;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get ready(): Ready {
    if ("port" in this.outcome) return this.outcome;
    throw new Error(this.outcome.message);
  }

  crash(): Promise<number | null> {
    this.#child.stdin?.write("crash\n");
    return this.#exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null) this.#child.kill("SIGKILL");
    await this.#exited;
  }
}

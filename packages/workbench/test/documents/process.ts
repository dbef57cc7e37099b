import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { DocumentInfo } from "../../src/contract/documents.js";

export interface Place {
  readonly folder: string;
  readonly stateDir: string;
  /** The user to become, which only root can. */
  readonly uid?: number;
}

export interface Order {
  readonly kind: "show" | "type" | "save" | "save without end";
  readonly path: string;
  readonly text?: string;
}

export interface Outcome {
  readonly problem: string | null;
  readonly info: DocumentInfo | null;
  readonly notices: readonly string[];
}

const PROGRAM = fileURLToPath(new URL("program.ts", import.meta.url));
const NODE = [process.execPath, "--import", "tsx", "--conditions", "@lockstep/source", PROGRAM];

/** Documents in another process, to be killed, or to be run where this one cannot be. */
export class DocumentsProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #exited: Promise<unknown>;

  private constructor(child: ChildProcess, lines: Interface) {
    this.#child = child;
    this.#lines = lines[Symbol.asyncIterator]();
    this.#exited = once(child, "exit");
  }

  /** `wrapper` is a command that gets the process's own appended. */
  static async start(place: Place, wrapper: readonly string[] = []): Promise<DocumentsProcess> {
    const [command = "", ...args] = [...wrapper, ...NODE, JSON.stringify(place)];
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    const running = new DocumentsProcess(child, createInterface(child.stdout));
    await running.#next();
    return running;
  }

  async tell(order: Order): Promise<Outcome> {
    this.begin(order);
    return JSON.parse(await this.#next());
  }

  /** Without waiting for the end of it. */
  begin(order: Order): void {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  /** As a crash would: it has no time for a last word. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.kill();
  }

  async #next(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error("The process has ended.");
    return value;
  }
}

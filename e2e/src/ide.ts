import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Range } from "@lockstep/editor";
import { within } from "./bounded.js";
import type { Gesture, Opened, Order, Ready, Report, Settings, Sight } from "./ide-protocol.js";
import { Journal } from "./journal.js";
import { WireFrame } from "./wire-frame.js";
import type { Workspace } from "./workspace.js";

type Done = Report & { readonly kind: "done" };

/** Lockstep in an editor without a screen, in its own process, with a person in front of it. */
export class Ide {
  /** Every message on every agent's socket. */
  readonly wire = new Journal<WireFrame>("frame", String);
  readonly sights = new Journal<Sight>("sight", (sight) => JSON.stringify(sight));
  readonly #process: ChildProcess;
  readonly #ready: Promise<Ready>;
  #announce: (ready: Ready) => void = () => {};
  readonly #exited: Promise<void>;
  readonly #orders = new Map<number, (done: Done) => void>();
  #lastOrder = 0;

  private constructor(process: ChildProcess) {
    this.#process = process;
    this.#ready = new Promise((resolve, reject) => {
      this.#announce = resolve;
      process.once("exit", (code) => reject(new Error(`the editor ended early, with ${code}`)));
    });
    process.on("message", (report: Report) => this.#hear(report));
    this.#exited = new Promise((resolve) => process.once("exit", () => resolve()));
  }

  /**
   * Starts it as an editor starts that had `opened` open when it ended. With the state folder of
   * an editor that was killed, it is that editor, started again.
   */
  static async start(workspace: Workspace, opened: Opened): Promise<Ide> {
    const file = fileURLToPath(new URL("ide-process.ts", import.meta.url));
    const { project, configDir, stateDir, home } = workspace;
    const settings: Settings = { project, configDir, stateDir, opened };
    const child = fork(file, [JSON.stringify(settings)], {
      execArgv: ["--import", "tsx", "--conditions", "@lockstep/source"],
      // Nothing of the machine's own settings may reach the server.
      env: { PATH: process.env.PATH, HOME: home },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const ide = new Ide(child);
    try {
      await within(30_000, ide.ready, () => "the editor to start");
      return ide;
    } catch (error) {
      await ide.kill();
      throw error;
    }
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Where the server is announced. Agents that were connected before may be there even earlier. */
  get ready(): Promise<Ready> {
    return this.#ready;
  }

  /** Selects in a file that is open. */
  select(path: string, range: Range): Promise<void> {
    return this.#perform({ kind: "select", path, range });
  }

  mention(path: string, lines: { readonly first: number; readonly last: number }): Promise<void> {
    return this.#perform({ kind: "mention", path, lines });
  }

  accept(proposal: string, text?: string): Promise<void> {
    return this.#perform({ kind: "accept", proposal, ...(text !== undefined && { text }) });
  }

  reject(proposal: string): Promise<void> {
    return this.#perform({ kind: "reject", proposal });
  }

  closeTab(proposal: string): Promise<void> {
    return this.#perform({ kind: "close-tab", proposal });
  }

  /** Waits until the person sees a proposal for the file; its id. */
  async proposal(path: string): Promise<string> {
    const sight = await this.sights.waitFor(
      (candidate) => candidate.kind === "shown" && candidate.path === path,
    );
    return sight.kind === "shown" ? sight.proposal : "";
  }

  /** The person quits the editor: the server stops in order. */
  async quit(): Promise<void> {
    if (this.#process.connected) await this.#perform({ kind: "quit" });
    await within(10_000, this.#exited, () => "the editor to end");
  }

  /** The editor crashes. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#exited;
  }

  async #perform(gesture: Gesture): Promise<void> {
    this.#lastOrder += 1;
    const order: Order = { order: this.#lastOrder, gesture };
    const done = new Promise<Done>((resolve) => {
      this.#orders.set(order.order, resolve);
    });
    this.#process.send(order);
    const { failure } = await within(10_000, done, () => `the editor to ${gesture.kind}`);
    if (failure) throw new Error(`the editor failed to ${gesture.kind}: ${failure}`);
  }

  #hear(report: Report): void {
    if (report.kind === "ready") this.#announce(report.ready);
    else if (report.kind === "frame") this.wire.note(new WireFrame(report.frame));
    else if (report.kind === "sight") this.sights.note(report.sight);
    else this.#orders.get(report.order)?.(report);
  }
}

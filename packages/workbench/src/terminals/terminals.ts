import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import type { Settings } from "../contract/settings.js";
import type { TerminalInfo, terminalCalls } from "../contract/terminals.js";
import { WorkbenchError } from "../errors.js";
import type { Surroundings } from "../surroundings.js";
import type { Handlers } from "../windows/router.js";
import type { Window } from "../windows/window.js";
import { ancestry } from "./process-tree.js";
import { chooseShell, findProgram, shellEnvironment } from "./shell.js";
import { Terminal, type TerminalOptions } from "./terminal.js";

/** More than anybody has on screen; each is a process and up to a megabyte of text. */
const MOST = 32;
/** A title that spins, as agents' titles do, is shown a few times a second. */
const TITLE_INTERVAL_MS = 200;

export interface TerminalsOptions {
  /** What an agent in the terminal needs to connect by itself. */
  readonly environment: () => Record<string, string>;
  readonly settings: () => Required<Settings>;
}

interface Entry {
  readonly kind: TerminalInfo["kind"];
  readonly terminal: Terminal;
  telling?: NodeJS.Timeout;
}

/** The terminals of a workbench. They go on when no window shows them. */
export class Terminals implements AsyncDisposable {
  readonly #surroundings: Surroundings;
  readonly #options: TerminalsOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Set<Promise<void>>();
  readonly #known = new WeakSet<Window>();
  #opening = 0;
  #disposed = false;

  readonly handlers: Handlers<typeof terminalCalls> = {
    "terminal.open": ({ kind, columns, rows }) => this.#open(kind, columns, rows),
    "terminal.attach": ({ id }, window) => {
      const { terminal } = this.#entry(id);
      this.#detachOnClose(window);
      return { printed: terminal.attach(window) };
    },
    "terminal.detach": ({ id }, window) => this.#entries.get(id)?.terminal.detach(window),
    "terminal.write": ({ id, data }, window) => this.#entry(id).terminal.write(window, data),
    "terminal.resize": ({ id, columns, rows }) => this.#entry(id).terminal.resize(columns, rows),
    "terminal.shown": ({ id, characters }, window) =>
      this.#entries.get(id)?.terminal.shown(window, characters),
    "terminal.close": ({ id }) => this.#close(id),
    "terminal.programs": async () => ({
      claude: (await findProgram("claude", process.env)) !== null,
    }),
  };

  constructor(surroundings: Surroundings, options: TerminalsOptions) {
    this.#surroundings = surroundings;
    this.#options = options;
  }

  /** The terminal that a process runs in: an ancestor of `pid` is its shell. Null if none. */
  terminalOf(pid: number): string | null {
    if (this.#entries.size === 0) return null;
    const line = new Set(ancestry(pid));
    for (const [id, { terminal }] of this.#entries) {
      if (terminal.exitCode === null && line.has(terminal.pid)) return id;
    }
    return null;
  }

  /**
   * Types text at its prompt, without sending it: as a paste if the program asked to be told of
   * pastes, otherwise on one line; control characters are left out.
   */
  type(id: string, text: string): void {
    this.#entries.get(id)?.terminal.type(text);
  }

  /** Ends everything that runs in the terminals. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    await Promise.all([...this.#entries.keys()].map((id) => this.#close(id)));
    await Promise.all(this.#closing);
  }

  async #open(kind: TerminalInfo["kind"], columns: number, rows: number): Promise<{ id: string }> {
    if (this.#disposed) throw new WorkbenchError("Lockstep is stopping.");
    if (this.#entries.size + this.#opening >= MOST) {
      throw new WorkbenchError(`There are ${MOST} terminals already. Close one of them first.`);
    }
    this.#opening++;
    try {
      const folder = await this.#folder();
      const shell = await this.#shell();
      if (this.#disposed) throw new WorkbenchError("Lockstep is stopping.");
      const id = randomUUID();
      const environment = shellEnvironment(process.env, this.#options.environment());
      const run = kind === "claude" ? "claude" : undefined;
      const onChange = () => this.#tellSoon(id);
      const terminal = start({
        ...{ id, shell, folder, environment, columns, rows, onChange },
        ...(run === undefined ? {} : { run }),
      });
      this.#entries.set(id, { kind, terminal });
      this.#tell(id);
      return { id };
    } finally {
      this.#opening--;
    }
  }

  async #folder(): Promise<string> {
    const [folder = "/"] = this.#surroundings.folders;
    const found = await stat(folder).catch(() => null);
    if (found?.isDirectory()) return folder;
    throw new WorkbenchError(
      `The folder ${folder} is not there any more. Make it, then try again.`,
    );
  }

  #shell(): Promise<string> {
    const { store, folders } = this.#surroundings;
    return chooseShell({
      setting: this.#options.settings().terminalShell,
      usersSetting: store.state.settings.user.terminalShell ?? "",
      folders,
      env: process.env,
    });
  }

  async #close(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    clearTimeout(entry.telling);
    this.#surroundings.store.remove("terminals", id);
    const closed = entry.terminal.close();
    this.#closing.add(closed);
    await closed.finally(() => this.#closing.delete(closed));
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (!entry) throw new WorkbenchError("This terminal has been closed. Open a new one.");
    return entry;
  }

  #detachOnClose(window: Window): void {
    if (this.#known.has(window)) return;
    this.#known.add(window);
    window.onClose(() => {
      for (const { terminal } of this.#entries.values()) terminal.detach(window);
    });
  }

  #tellSoon(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry || entry.telling) return;
    entry.telling = setTimeout(() => {
      delete entry.telling;
      this.#tell(id);
    }, TITLE_INTERVAL_MS).unref();
  }

  #tell(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    const { store } = this.#surroundings;
    const { kind, terminal } = entry;
    store.put("terminals", id, {
      ...{ id, kind, title: terminal.title, exitCode: terminal.exitCode },
      // Set by who knows the agents.
      agent: store.state.terminals[id]?.agent ?? null,
    });
  }
}

/** The system may have no pty or no process left to give. */
function start(options: TerminalOptions): Terminal {
  try {
    return new Terminal(options);
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem);
    throw new WorkbenchError(
      `The system gave no terminal (${why}). Close some programs, then try again.`,
    );
  }
}

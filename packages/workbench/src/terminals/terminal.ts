import { baseName } from "@lockstep/protocol";
import { type IPty, spawn } from "@lydell/node-pty";
import type { Window } from "../windows/window.js";
import { Audience } from "./audience.js";
import { endSession, hangUp } from "./end-session.js";
import { isReport } from "./reports.js";
import { ScreenState } from "./screen-state.js";
import { Scrollback } from "./scrollback.js";

export interface TerminalOptions {
  readonly id: string;
  readonly shell: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
  /** A line to run in the shell, once it is there; the shell stays afterwards. */
  readonly run?: string;
  /** The title or the exit code is another one. */
  readonly onChange: () => void;
}

/** A shell that prints nothing for so long is taken to be ready all the same. */
const SILENT_START_MS = 1_000;

/** A shell on a pty of its own, what it has printed, and the windows that show it. */
export class Terminal {
  readonly #options: TerminalOptions;
  readonly #pty: IPty;
  readonly #scrollback = new Scrollback();
  readonly #screen = new ScreenState();
  readonly #audience: Audience;
  readonly #ended: Promise<void>;
  #exitCode: number | null = null;
  /** The window that speaks for the terminal: of several that show it only one may answer a query. */
  #speaker: Window | null = null;
  #unsent = "";
  #sending: NodeJS.Immediate | undefined;

  constructor(options: TerminalOptions) {
    this.#options = options;
    const { id, shell, folder, environment, columns, rows, run } = options;
    this.#audience = new Audience({ id, onPace: (wait) => this.#setPace(wait) });
    this.#pty = spawn(shell, process.platform === "darwin" ? ["-l"] : [], {
      name: "xterm-256color",
      cols: columns,
      rows,
      cwd: folder,
      env: { ...environment },
    });
    this.#pty.onData((text) => this.#printed(text));
    this.#ended = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode, signal }) => {
        // As shells say it: a program that a signal has ended.
        this.#exitCode = signal ? 128 + signal : exitCode;
        // What was left in the background has lost its terminal.
        hangUp(this.pid);
        options.onChange();
        resolve();
      });
    });
    if (run !== undefined) this.#runWhenReady(run);
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get title(): string {
    return this.#screen.title ?? baseName(this.#options.shell);
  }

  /** Null while it runs. */
  get exitCode(): number | null {
    return this.#exitCode;
  }

  /** From now on the window hears what is printed; answers what was printed until now. */
  attach(window: Window): string {
    this.#flush();
    this.#audience.add(window);
    this.#speaker ??= window;
    const { text, trimmed } = this.#scrollback;
    return trimmed ? this.#screen.before + text + this.#screen.after : text;
  }

  detach(window: Window): void {
    this.#audience.remove(window);
    if (this.#speaker === window) this.#speaker = null;
  }

  shown(window: Window, characters: number): void {
    this.#audience.shown(window, characters);
  }

  write(window: Window, data: string): void {
    if (this.#exitCode !== null) return;
    if (isReport(data) && (this.#speaker ?? window) !== window) return;
    this.#speaker = window;
    this.#pty.write(data);
  }

  /** Text at the prompt, not sent: what could act as a key is left out. */
  type(text: string): void {
    if (this.#exitCode !== null) return;
    const lines = text.split(/\r\n|[\r\n]/).map((line) => line.replace(/\p{Cc}/gu, " "));
    if (this.#screen.bracketedPaste) this.#pty.write(`\u001b[200~${lines.join("\r")}\u001b[201~`);
    else this.#pty.write(lines.join(" "));
  }

  resize(columns: number, rows: number): void {
    if (this.#exitCode !== null) return;
    if (columns !== this.#pty.cols || rows !== this.#pty.rows) this.#pty.resize(columns, rows);
  }

  /** Ends everything that runs in it. */
  async close(): Promise<void> {
    clearImmediate(this.#sending);
    this.#audience.close();
    // The number of a shell that has ended may be somebody else's by now.
    if (this.#exitCode !== null) return;
    this.#pty.resume();
    await endSession(this.pid, this.#ended);
  }

  #setPace(wait: boolean): void {
    if (this.#exitCode !== null) return;
    if (wait) this.#pty.pause();
    else this.#pty.resume();
  }

  #printed(text: string): void {
    const { title } = this;
    this.#scrollback.add(text);
    this.#screen.read(text);
    if (this.title !== title) this.#options.onChange();
    // What comes in one turn of the loop goes out as one message.
    this.#unsent += text;
    this.#sending ??= setImmediate(() => this.#flush());
  }

  #flush(): void {
    clearImmediate(this.#sending);
    this.#sending = undefined;
    const text = this.#unsent;
    this.#unsent = "";
    if (text !== "") this.#audience.send(text);
  }

  /** Once the prompt is there, so that the line is seen once and not before it as well. */
  #runWhenReady(line: string): void {
    const start = () => {
      clearTimeout(timer);
      first.dispose();
      if (this.#exitCode === null) this.#pty.write(`${line}\r`);
    };
    const timer = setTimeout(start, SILENT_START_MS).unref();
    const first = this.#pty.onData(start);
  }
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BoundPassed, within } from "./bounded.js";
import { ControlMode } from "./control-mode.js";

export type ScreenPattern = string | RegExp | ((screen: string) => boolean);

export interface TerminalOptions {
  readonly command: readonly string[];
  /** All that the command finds in its environment, besides TERM and LANG. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

const columns = "140";
const rows = "50";

/** A command in a terminal of its own: tmux on a private socket, which ends with the command. */
export class Terminal {
  readonly #tmux: ControlMode;
  readonly #folder: string;
  /** The process that tmux started. */
  readonly pid: number;

  private constructor(tmux: ControlMode, folder: string, pid: number) {
    this.#tmux = tmux;
    this.#folder = folder;
    this.pid = pid;
  }

  static async start(options: TerminalOptions): Promise<Terminal> {
    const folder = await mkdtemp(join(tmpdir(), "lockstep-terminal-"));
    const env = { TERM: "xterm-256color", LANG: "C.UTF-8", ...options.env };
    const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const tmux = new ControlMode([
      ...["tmux", "-S", join(folder, "socket"), "-f", "/dev/null", "-u", "-C"],
      ...["new-session", "-x", columns, "-y", rows, "-c", options.cwd],
      ...["env", "-i", ...assignments, ...options.command],
    ]);
    // Whatever becomes of the test, tmux and the command end when nobody looks at them any more.
    await tmux.command("set-option", "-g", "destroy-unattached", "on");
    await tmux.command("refresh-client", "-C", `${columns}x${rows}`);
    const [pid] = await tmux.command("display-message", "-p", "#{pane_pid}");
    return new Terminal(tmux, folder, Number(pid));
  }

  /** Resolves when the command has ended. */
  get ended(): Promise<void> {
    return this.#tmux.ended;
  }

  async screen(): Promise<string> {
    return (await this.#tmux.command("capture-pane", "-p")).join("\n").trimEnd();
  }

  async type(text: string): Promise<void> {
    await this.#tmux.command("send-keys", "-l", "--", text);
  }

  /** A key by tmux's name for it: Enter, Escape, Up, C-c, … */
  async press(key: string): Promise<void> {
    await this.#tmux.command("send-keys", "--", key);
  }

  /**
   * The screen as soon as it matches. It is looked at again after each output of the command, so
   * nothing is missed and nothing is polled; past the bound the error shows the screen.
   */
  async waitFor(pattern: ScreenPattern, boundMs = 30_000): Promise<string> {
    let screen = "";
    let waiting = true;
    const look = async () => {
      while (waiting) {
        // Asked for before looking: output that comes while we look makes us look again.
        const output = this.#tmux.nextOutput();
        screen = await this.screen();
        if (matches(pattern, screen)) return;
        await output;
      }
    };
    const what = () => `the screen to match ${pattern}. It shows:\n${screen}`;
    try {
      await within(boundMs, look(), what);
      return screen;
    } finally {
      waiting = false;
    }
  }

  /**
   * Presses a key that decides something, again if nothing comes of it: for a moment after it has
   * opened a dialog the CLI ignores such keys, lest they were meant for what was there before, and
   * nothing tells when that is over. For keys only that do no harm when pressed once too often.
   */
  async pressUntil(key: "Enter" | "Escape", pattern: ScreenPattern): Promise<string> {
    for (let attempts = 1; ; attempts += 1) {
      await this.press(key);
      try {
        return await this.waitFor(pattern, 1_000);
      } catch (error) {
        if (!(error instanceof BoundPassed) || attempts === 30) throw error;
      }
    }
  }

  /** Hangs up, as closing a terminal's window does, and waits for the end of the command. */
  async close(): Promise<void> {
    if (!this.#tmux.over) signal(this.pid, "SIGHUP");
    try {
      await within(5_000, this.ended, () => "the command to end after SIGHUP");
    } catch {
      signal(this.pid, "SIGKILL");
      await this.ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function matches(pattern: ScreenPattern, screen: string): boolean {
  if (typeof pattern === "string") return screen.includes(pattern);
  if (typeof pattern === "function") return pattern(screen);
  return pattern.test(screen);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}

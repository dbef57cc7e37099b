import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

interface Pending {
  readonly resolve: (lines: string[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A tmux client in control mode: commands go in as lines, their replies come back in order between
 * `%begin` and `%end`, and everything else that starts with `%` tells what happened in between.
 */
export class ControlMode {
  /** Resolves when tmux is gone. */
  readonly ended: Promise<void>;
  readonly #process: ChildProcess;
  readonly #pending: Pending[] = [];
  #reply: { readonly end: string; readonly lines: string[] } | undefined;
  readonly #listeners: (() => void)[] = [];
  #over = false;

  constructor(argv: readonly string[]) {
    const [program = "tmux", ...rest] = argv;
    // tmux hands its own environment to no one: the command inside is started with `env -i`.
    const env = { PATH: process.env.PATH, LANG: "C.UTF-8", TERM: "xterm-256color" };
    this.#process = spawn(program, rest, { env, stdio: ["pipe", "pipe", "inherit"] });
    if (!this.#process.stdout) throw new Error("tmux was started without its output");
    createInterface({ input: this.#process.stdout }).on("line", (line) => {
      if (this.#reply || line.startsWith("%begin ")) this.#read(line);
      else if (line.startsWith("%output ")) this.#wake();
    });
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.#over = true;
        for (const { reject } of this.#pending.splice(0)) reject(new Error("tmux has ended"));
        this.#wake();
        resolve();
      };
      this.#process.on("error", end);
      this.#process.on("close", end);
    });
    // The command line itself is answered like a command.
    this.#pending.push({ resolve: () => {}, reject: () => {} });
  }

  get over(): boolean {
    return this.#over;
  }

  command(...words: readonly string[]): Promise<string[]> {
    return new Promise((resolve, reject) => {
      if (this.#over) return reject(new Error("tmux has ended"));
      this.#pending.push({ resolve, reject });
      this.#process.stdin?.write(`${words.map(quote).join(" ")}\n`);
    });
  }

  /** Resolves when the command in the terminal next prints something, or has ended. */
  nextOutput(): Promise<void> {
    return new Promise((resolve) => this.#listeners.push(resolve));
  }

  #wake(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }

  #read(line: string): void {
    if (!this.#reply) {
      // "%begin <time> <number> <flags>" is closed by a line with the same three words.
      this.#reply = { end: line.slice("%begin ".length), lines: [] };
      return;
    }
    const { end, lines } = this.#reply;
    if (line !== `%end ${end}` && line !== `%error ${end}`) {
      lines.push(line);
      return;
    }
    this.#reply = undefined;
    const pending = this.#pending.shift();
    if (line.startsWith("%end ")) pending?.resolve(lines);
    else pending?.reject(new Error(`tmux: ${lines.join(" ")}`));
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { IdeError } from "@lockstep/client";

/** How a process ended that was to carry the link. */
export interface FarEnd {
  readonly code: number | null;
  /** Why it could not even be started. */
  readonly error: Error | null;
  /** What it said last. */
  readonly lastWords: string;
}

const GRACE_MS = 5_000;

/** The process whose input and output reach the other end: ssh, docker exec, or the like. */
export class FarProcess {
  readonly ended: Promise<FarEnd>;
  readonly #child: ChildProcessWithoutNullStreams;
  #lastWords = "";

  /** What it says on standard error is passed on line by line: it may come from anywhere. */
  constructor([program = "", ...args]: readonly string[], say: (line: string) => void) {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (line.trim() === "") return;
      this.#lastWords = line.slice(0, 500);
      say(this.#lastWords);
    });
    // A write to one that has gone is the end that is told below.
    child.stdin.on("error", () => {});
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, error: Error | null) =>
        resolve({ code, error, lastWords: this.#lastWords });
      child.once("error", (error) => end(null, error));
      child.once("close", (code) => end(code, null));
    });
  }

  /** It has come so far: what it has said until now is no reason for its end. */
  forgetWords(): void {
    this.#lastWords = "";
  }

  get input() {
    return this.#child.stdout;
  }

  get output() {
    return this.#child.stdin;
  }

  /** Its input closes, which ends the other end; if it stays all the same, it is made to go. */
  async stop(): Promise<void> {
    this.#child.stdin.end();
    const impatient = setTimeout(() => this.#child.kill("SIGTERM"), GRACE_MS);
    const final = setTimeout(() => this.#child.kill("SIGKILL"), 2 * GRACE_MS);
    await this.ended;
    clearTimeout(impatient);
    clearTimeout(final);
  }
}

/** Why nothing at the other end ever spoke. `place` is such as "on build.example". */
export function whyNoRelay(
  { code, error, lastWords }: FarEnd,
  program: string,
  place: string,
): IdeError {
  if (error) return new IdeError("unreachable", `${program} cannot be started: ${error.message}`);
  if (code === 126 || code === 127)
    return new IdeError(
      "unreachable",
      `There is no lockstep ${place}. Install it there (npm install --global lockstep), or say by --remote-command how it is started.`,
    );
  const said = lastWords ? `: ${lastWords}` : "";
  return new IdeError(
    "unreachable",
    `${program} ended with ${code ?? "a signal"} before the relay began${said}`,
  );
}

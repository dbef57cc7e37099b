import { printable } from "@lockstep/protocol";
import * as lsp from "./lsp.js";

interface Task {
  readonly title: string;
  readonly message: string;
  readonly part: number | null;
  /** When it was last heard of. */
  readonly at: number;
}

const LOADING = Symbol("loading");
const LOADS = "Loading the project";
/** Nobody waits for a task that was not heard of for so long: its server has forgotten to end it. */
const FORGOTTEN_MS = 60_000;
type Token = string | number | typeof LOADING;

/** Tasks at once; a server that begins more and ends none is not followed further. */
const MOST_TASKS = 50;

/** What a server says that it is doing, such as "Indexing 40/200". */
export class ProgressOf {
  readonly #tell: (now: { readonly text: string; readonly part: number | null } | null) => void;
  readonly #idle: () => void;
  readonly #tasks = new Map<Token, Task>();
  #timer: NodeJS.Timeout | null = null;

  /** `tell` is called now and then, `idle` whenever the last of its tasks has ended. */
  constructor(
    tell: (now: { readonly text: string; readonly part: number | null } | null) => void,
    idle: () => void,
  ) {
    this.#tell = tell;
    this.#idle = idle;
  }

  get isAtWork(): boolean {
    const now = performance.now();
    return [...this.#tasks.values()].some(({ at }) => now - at < FORGOTTEN_MS);
  }

  hear(params: unknown): void {
    const { data } = lsp.progress.safeParse(params);
    if (!data) return;
    const { token, value } = data;
    const known = this.#tasks.get(token);
    if (value.kind === "end") {
      this.#end(token);
    } else if (known || this.#tasks.size < MOST_TASKS) {
      const { percentage } = value;
      this.#tasks.set(token, {
        title: printable(value.title ?? known?.title ?? "").slice(0, 100),
        message: printable(value.message ?? "").slice(0, 200),
        part:
          percentage == null ? (known?.part ?? null) : Math.min(Math.max(percentage, 0), 100) / 100,
        at: performance.now(),
      });
    }
    this.#tellSoon();
  }

  /** It says in its own way whether it has loaded the project. */
  hearStatus(params: unknown): void {
    const { data } = lsp.serverStatus.safeParse(params);
    if (!data) return;
    if (data.quiescent) this.#end(LOADING);
    else this.#tasks.set(LOADING, { title: LOADS, message: "", part: null, at: performance.now() });
    this.#tellSoon();
  }

  #end(token: Token): void {
    if (this.#tasks.delete(token) && this.#tasks.size === 0) this.#idle();
  }

  #tellSoon(): void {
    // Servers report every file; nobody can read that fast.
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      const task = [...this.#tasks.values()].at(-1);
      const text = task ? [task.title, task.message].filter((part) => part !== "").join(": ") : "";
      this.#tell(task ? { text, part: task.part } : null);
    }, PAUSE_MS);
    this.#timer.unref();
  }
}

const PAUSE_MS = 100;

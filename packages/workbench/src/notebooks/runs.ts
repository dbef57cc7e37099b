import type { AgentRun } from "../contract/kernels.js";
import type { CellRun, NotebookChange, ShownRun } from "../contract/notebooks.js";
import type { KernelSession, RunResult } from "../kernels/kernel-session.js";
import { NOT_RUN } from "./cell.js";
import type { OpenNotebook } from "./open-notebook.js";
import { shownOutput } from "./outputs.js";

/** Of what agents ran, the last few are shown. */
const AGENT_RUNS = 20;

/** The runs of one notebook: cells, and what agents ran beside them. */
export class Runs {
  readonly #notebook: OpenNotebook;
  readonly #session: KernelSession;
  readonly #tell: (changes: readonly NotebookChange[]) => void;
  /** The last run of each cell: what an earlier one still prints is not shown any more. */
  readonly #last = new Map<string, number>();
  #count = 0;
  #agentRuns: readonly ShownRun[] = [];

  constructor(
    notebook: OpenNotebook,
    session: KernelSession,
    tell: (changes: readonly NotebookChange[]) => void,
  ) {
    this.#notebook = notebook;
    this.#session = session;
    this.#tell = tell;
  }

  get agentRuns(): readonly ShownRun[] {
    return this.#agentRuns;
  }

  /** One after the other. The first that fails takes back those after it. */
  run(keys: readonly string[]): void {
    const rest = new AbortController();
    for (const key of keys) {
      const cell = this.#notebook.find(key)?.cell;
      // One that waits or runs already is not asked for twice.
      const isAtIt = cell?.run.kind === "waiting" || cell?.run.kind === "running";
      if (cell?.layout.kind !== "code" || isAtIt) continue;
      void this.#run(key, cell.shared.toString(), rest);
    }
  }

  /** The outputs were taken away: what still comes from a run that has ended is not shown. */
  forget(keys: readonly string[]): void {
    for (const key of keys) {
      if (this.#notebook.find(key)?.cell.run.kind !== "running") this.#last.delete(key);
    }
  }

  /** An agent's run as it is now. */
  heard({ outputs, ...run }: AgentRun): void {
    const shown: ShownRun = { ...run, outputs: outputs.map(shownOutput) };
    const isKnown = this.#agentRuns.some(({ id }) => id === run.id);
    this.#agentRuns = isKnown
      ? this.#agentRuns.map((each) => (each.id === run.id ? shown : each))
      : [...this.#agentRuns, shown].slice(-AGENT_RUNS);
    this.#tell([{ kind: "agentRun", run: shown }]);
  }

  async #run(key: string, code: string, rest: AbortController): Promise<void> {
    const notebook = this.#notebook;
    const number = ++this.#count;
    const before = notebook.find(key)?.cell.run ?? NOT_RUN;
    let started: number | null = null;
    const isLast = () => this.#last.get(key) === number;
    notebook.setRun(key, { kind: "waiting" });
    try {
      const { status, executionCount } = await this.#session.run({
        code,
        signal: rest.signal,
        onStart: () => {
          started = Date.now();
          this.#last.set(key, number);
          notebook.setOutputs(key, 0, []);
          notebook.setRun(key, { kind: "running", started });
        },
        onOutput: ({ from, outputs }) => {
          if (isLast()) notebook.setOutputs(key, from, outputs);
        },
      });
      if (started === null) return notebook.setRun(key, before);
      if (status !== "ok") rest.abort();
      notebook.setExecutionCount(key, executionCount);
      notebook.setRun(key, ended(status, started));
    } catch {
      // Why is the kernel's to say: `KernelInfo.why`.
      rest.abort();
      notebook.setRun(key, started === null ? before : ended("stopped", started));
    }
  }
}

function ended(how: RunResult["status"] | "stopped", started: number): CellRun {
  const words = { ok: "done", error: "failed", aborted: "stopped", stopped: "stopped" } as const;
  return { kind: "ended", how: words[how], milliseconds: Date.now() - started };
}

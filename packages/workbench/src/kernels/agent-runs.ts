import { randomUUID } from "node:crypto";
import type { Agent, Call, Output } from "@lockstep/editor";
import { printable, type Uri } from "@lockstep/protocol";
import type { AgentRun, CellOutput } from "../contract/kernels.js";
import { WorkbenchError } from "../errors.js";
import type { AgentConsents } from "../permissions/agent-consents.js";
import { agentOutputs } from "./agent-outputs.js";
import type { KernelSession, RunResult } from "./kernel-session.js";
import type { Kernels } from "./kernels.js";

export interface AgentRunsOptions {
  readonly kernels: Kernels;
  readonly consents: AgentConsents;
  /** The notebooks that are open, the one that the person looks at or looked at last first. */
  readonly notebooks: () => readonly Uri[];
  /** How long an agent's code may run, and may wait for the person's. */
  readonly patienceMs: () => number;
}

/** How long interrupted code has to end before nobody waits for it any more. */
const STOP_MS = 5_000;

/** What agents run in the notebooks' kernels: with the person's leave, in their sight, within limits. */
export class AgentRuns {
  readonly #options: AgentRunsOptions;
  readonly #listeners = new Set<(uri: Uri, run: AgentRun) => void>();
  readonly #running = new Set<{ readonly agent: Agent; readonly stop: AbortController }>();

  constructor(options: AgentRunsOptions) {
    this.#options = options;
    options.consents.onRevoke(() => this.#stopUnallowed());
  }

  /** Told when a run comes, starts, prints and ends; the same `id` is the same run. */
  subscribe(listener: (uri: Uri, run: AgentRun) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** For the Editor port: fails with a sentence for the agent, and interrupts what nobody waits for. */
  async execute({ code }: { readonly code: string }, call: Call): Promise<readonly Output[]> {
    const [uri] = this.#options.notebooks();
    if (uri === undefined)
      throw new WorkbenchError("No notebook is open: open an .ipynb file first.");
    // The engine has asked; but between its question and this call the yes may have been taken back.
    if (!this.#options.consents.has("run-code", call.agent)) throw notAllowed();
    const entry = { agent: call.agent, stop: new AbortController() };
    const leave = () =>
      entry.stop.abort(new WorkbenchError("Nobody waits for this code any more."));
    call.signal.addEventListener("abort", leave, { once: true });
    if (call.signal.aborted) leave();
    this.#running.add(entry);
    try {
      return await this.#run(uri, code, call.agent, entry.stop);
    } finally {
      this.#running.delete(entry);
      call.signal.removeEventListener("abort", leave);
    }
  }

  async #run(
    uri: Uri,
    code: string,
    agent: Agent,
    stop: AbortController,
  ): Promise<readonly Output[]> {
    let run: AgentRun = {
      id: randomUUID(),
      agent: printable(agent.name).slice(0, 100),
      code,
      status: "waiting",
      outputs: [],
      since: Date.now(),
    };
    const tell = (next: Partial<AgentRun>) => {
      run = { ...run, ...next };
      for (const listener of [...this.#listeners]) listener(uri, run);
    };
    const patienceMs = this.#options.patienceMs();
    const tooLong = new TooLong(patienceMs);
    const session = this.#options.kernels.of(uri);
    // A kernel that starts has its own limit, so only other code counts as waiting.
    const wait = () => {
      if (session.info.status === "busy") stop.abort(busy());
      else timer = setTimeout(wait, patienceMs);
    };
    let timer = setTimeout(wait, patienceMs);
    tell({});
    try {
      const result = await untilStopped(
        session.run({
          code,
          signal: stop.signal,
          onStart: () => {
            clearTimeout(timer);
            timer = setTimeout(() => stop.abort(tooLong), patienceMs);
            tell({ status: "running" });
          },
          onOutput: ({ from, outputs }) =>
            tell({ outputs: [...run.outputs.slice(0, from), ...outputs] }),
        }),
        session,
        stop.signal,
      );
      const { reason } = stop.signal;
      if (!stop.signal.aborted) {
        // Taken back by the person, who has pressed Interrupt or Restart.
        if (result.status === "aborted") throw stoppedByPerson();
        tell({ status: result.status, outputs: result.outputs });
        return agentOutputs(result.outputs);
      }
      tell({ status: "stopped", outputs: result.outputs });
      if (reason !== tooLong) throw reason;
      const note = { output_type: "stream", name: "stderr", text: tooLong.message } as const;
      return agentOutputs([...result.outputs, note] satisfies CellOutput[]);
    } catch (problem) {
      if (run.status === "waiting" || run.status === "running") tell({ status: "stopped" });
      throw problem;
    } finally {
      clearTimeout(timer);
    }
  }

  #stopUnallowed(): void {
    for (const { agent, stop } of this.#running)
      if (!this.#options.consents.has("run-code", agent)) stop.abort(notAllowed());
  }
}

/** Code that does not heed an interrupt goes on without anybody waiting for it. */
function untilStopped(
  running: Promise<RunResult>,
  session: KernelSession,
  signal: AbortSignal,
): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const giveUp = () => {
      const unheeded = new WorkbenchError(
        "The code was interrupted but does not stop. The user can restart the kernel.",
      );
      timer = setTimeout(
        () => reject(session.info.status === "busy" ? unheeded : signal.reason),
        STOP_MS,
      );
    };
    signal.addEventListener("abort", giveUp, { once: true });
    running.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    });
  });
}

class TooLong extends WorkbenchError {
  constructor(patienceMs: number) {
    const seconds = Math.round(patienceMs / 1_000);
    super(
      `[Interrupted: the code ran for more than ${seconds} s. The user can change this limit: “agentCodeTimeout” in the settings.]`,
    );
  }
}

const notAllowed = () =>
  new WorkbenchError("The user has not allowed code to be run in this workspace, or took it back.");
const stoppedByPerson = () => new WorkbenchError("The user stopped this code before it ran.");
const busy = () =>
  new WorkbenchError("The kernel is busy with other code. Try again when it has ended.");

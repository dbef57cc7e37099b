import { dirname } from "node:path";
import { filePath, type Uri } from "@lockstep/protocol";
import type { CellOutput, KernelInfo, KernelStatus, OutputChange } from "../contract/kernels.js";
import { WorkbenchError } from "../errors.js";
import { fields, text } from "./kernel-message.js";
import { chooseKernel, installCommand, type KernelSpec } from "./kernel-specs.js";
import { OutputList } from "./output-list.js";
import { RunningKernel } from "./running-kernel.js";

export interface RunRequest {
  readonly code: string;
  /** It is its turn: until now it waited for others. */
  readonly onStart?: () => void;
  /**
   * What it prints and shows. Also after its end: a thread of it may go on printing, and a later run may
   * change what this one has shown.
   */
  readonly onOutput?: (change: OutputChange) => void;
  /** Takes it back while it waits, and interrupts it while it runs. */
  readonly signal?: AbortSignal;
  /** Leaves no trace in the kernel's history and counter. */
  readonly silent?: boolean;
}

export interface RunResult {
  /** "aborted": it was taken back before it ran. An interrupted run is an "error". */
  readonly status: "ok" | "error" | "aborted";
  /** The number in the brackets beside the cell. */
  readonly executionCount: number | null;
  readonly outputs: readonly CellOutput[];
}

/** What the kernels of all notebooks have in common. */
export interface KernelHost {
  readonly env: NodeJS.ProcessEnv;
  /** Told of faults that nobody can do anything about now. */
  readonly report: (problem: unknown) => void;
  readonly startPatienceMs: number;
  /** The folder of a kernel whose notebook has none. */
  readonly folder: string;
  find(): Promise<readonly KernelSpec[]>;
  /** Whether a kernel that is a part of the project may be started; the signal takes the question back. */
  allows(spec: KernelSpec, signal: AbortSignal): Promise<boolean>;
}

interface Waiting {
  readonly request: RunRequest;
  readonly resolve: (result: RunResult) => void;
  readonly reject: (problem: unknown) => void;
}

/** Runs whose outputs may still change. */
const REMEMBERED = 200;

/** The kernel of one notebook: one run after the other, and all see the same state. */
export class KernelSession {
  uri: Uri;
  readonly #host: KernelHost;
  readonly #listeners = new Set<() => void>();
  readonly #lists = new Map<string, OutputList>();
  #waiting: Waiting[] = [];
  #current: Waiting | null = null;
  /** Whether the kernel has begun with it: an interrupt before that would be lost. */
  #hasBegun = false;
  #interruptSoon = false;
  /** Of the run that came last. */
  #list: OutputList | null = null;
  #kernel: RunningKernel | null = null;
  #starting: Promise<RunningKernel> | null = null;
  #stopStart = new AbortController();
  #wanted: { readonly name?: string | undefined; readonly language?: string | undefined } = {};
  #chosen: string | null = null;
  #info: KernelInfo = { status: "off", name: null, why: null };

  constructor(uri: Uri, host: KernelHost) {
    this.uri = uri;
    this.#host = host;
  }

  get info(): KernelInfo {
    return this.#info;
  }

  /** How many runs wait or run. */
  get pending(): number {
    return this.#waiting.length + (this.#current ? 1 : 0);
  }

  /** The process, while there is one. */
  get pid(): number | null {
    return this.#kernel?.pid ?? null;
  }

  /** What runs, while something does. */
  get spec(): KernelSpec | null {
    return this.#kernel?.spec ?? null;
  }

  /** Told whenever `info` is another. */
  subscribe(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** What the notebook says of itself; counts from the next start on. */
  prefer(wanted: {
    readonly name?: string | undefined;
    readonly language?: string | undefined;
  }): void {
    this.#wanted = wanted;
  }

  /** What the person has chosen, by its id; counts from the next start on. */
  choose(id: string): void {
    this.#chosen = id;
  }

  /** Starts the kernel if there is none. Fails with a sentence that says what to do. */
  async start(): Promise<void> {
    await this.#ready();
  }

  /**
   * Runs code when all before it have ended, and starts the kernel if there is none. Fails with a sentence
   * if the kernel cannot be started or ends meanwhile; an error of the code is a result.
   */
  run(request: RunRequest): Promise<RunResult> {
    return new Promise((resolve, reject) => {
      const waiting = { request, resolve, reject };
      if (request.signal?.aborted) return resolve(ABORTED);
      request.signal?.addEventListener("abort", () => this.#takeBack(waiting), { once: true });
      this.#waiting.push(waiting);
      void this.#next();
    });
  }

  /** Interrupts what runs and takes back what waits. */
  interrupt(): void {
    this.#dropWaiting();
    if (this.#current) this.#interruptCurrent();
  }

  /** Ends the kernel with all its state, and starts it anew. */
  async restart(): Promise<void> {
    await this.shutdown();
    await this.start();
  }

  /** Ends the kernel. The next run starts another. */
  async shutdown(): Promise<void> {
    this.#dropWaiting();
    this.#stopStart.abort();
    await this.#starting?.catch(() => {});
    const kernel = this.#kernel;
    this.#kernel = null;
    // The one that runs hears of it when the process has ended.
    await kernel?.[Symbol.asyncDispose]();
    this.#lists.clear();
    this.#tell("off", null);
  }

  complete(code: string, cursor: number): Promise<Completion | null> {
    return this.#aside("complete_request", { code, cursor_pos: cursor }, (content) => ({
      matches: Array.isArray(content.matches) ? content.matches.map(text).slice(0, 500) : [],
      from: typeof content.cursor_start === "number" ? content.cursor_start : cursor,
      to: typeof content.cursor_end === "number" ? content.cursor_end : cursor,
    }));
  }

  inspect(code: string, cursor: number): Promise<string | null> {
    const request = { code, cursor_pos: cursor, detail_level: 0 };
    return this.#aside("inspect_request", request, (content) =>
      content.found === true ? text(fields(content.data)["text/plain"]) : null,
    );
  }

  /** Only of an idle kernel: a busy one would answer when nobody waits any more. */
  async #aside<Answer>(
    type: string,
    content: Readonly<Record<string, unknown>>,
    read: (content: Readonly<Record<string, unknown>>) => Answer | null,
  ): Promise<Answer | null> {
    if (!this.#kernel || this.#current) return null;
    const late = new Promise<null>((resolve) => setTimeout(resolve, ASIDE_MS, null).unref());
    const asked = this.#kernel.request(type, content).catch(() => null);
    const reply = await Promise.race([asked, late]);
    return reply?.status === "ok" ? read(reply.content) : null;
  }

  async #next(): Promise<void> {
    if (this.#current) return;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#current = next;
    try {
      next.resolve(await this.#execute(next));
    } catch (problem) {
      next.reject(problem);
    } finally {
      this.#current = null;
      if (this.#kernel && this.#waiting.length === 0) this.#tell("idle", null);
      void this.#next();
    }
  }

  async #execute({ request }: Waiting): Promise<RunResult> {
    this.#hasBegun = false;
    this.#interruptSoon = false;
    const kernel = await this.#ready();
    // Who interrupts while the kernel starts does not want any of it to run.
    if (request.signal?.aborted || this.#interruptSoon) return ABORTED;
    this.#tell("busy", null);
    this.#listen(() => request.onStart?.());
    const list = new OutputList((change) => this.#listen(() => request.onOutput?.(change)));
    const { silent = false, code } = request;
    try {
      const reply = await kernel.request(
        "execute_request",
        {
          code,
          silent,
          store_history: !silent,
          user_expressions: {},
          // Nobody would answer: the kernel says so where code asks.
          allow_stdin: false,
          // Nothing waits in the kernel; it would refuse what comes soon after an error.
          stop_on_error: false,
        },
        {
          untilIdle: true,
          sent: (id) => this.#remember(id, list),
          onNews: (type) => {
            if (type === (silent ? "status" : "execute_input")) this.#begin();
          },
        },
      );
      for (const page of pages(reply.content.payload)) list.take("display_data", page);
      // Where outputs were lost, this one would be missed most.
      if (reply.status === "error" && !list.hasError) list.take("error", reply.content);
      const { execution_count } = reply.content;
      list.flush();
      return {
        status: reply.status,
        executionCount: typeof execution_count === "number" ? execution_count : null,
        outputs: list.outputs,
      };
    } catch {
      list.flush();
      throw new WorkbenchError(
        this.#info.why ?? "The kernel was stopped while this code ran. Run it again.",
      );
    }
  }

  #takeBack(waiting: Waiting): void {
    if (this.#current === waiting) {
      this.#interruptCurrent();
      // In the first moments of a run IPython may swallow an interrupt, and nobody is there to press again.
      for (const delay of AGAIN_MS) {
        const again = () => this.#current === waiting && this.#interruptCurrent();
        setTimeout(again, delay).unref();
      }
      return;
    }
    if (!this.#waiting.includes(waiting)) return;
    this.#waiting = this.#waiting.filter((each) => each !== waiting);
    waiting.resolve(ABORTED);
  }

  #interruptCurrent(): void {
    if (this.#hasBegun) this.#kernel?.interrupt();
    else this.#interruptSoon = true;
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    if (this.#interruptSoon) this.#kernel?.interrupt();
  }

  #dropWaiting(): void {
    const dropped = this.#waiting;
    this.#waiting = [];
    for (const { resolve } of dropped) resolve(ABORTED);
  }

  async #ready(): Promise<RunningKernel> {
    if (this.#kernel) return this.#kernel;
    this.#starting ??= this.#startKernel().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #startKernel(): Promise<RunningKernel> {
    this.#stopStart = new AbortController();
    const { signal } = this.#stopStart;
    this.#tell("starting", null);
    try {
      const spec = await this.#choice();
      this.#info = { ...this.#info, name: spec.displayName };
      if (spec.insideProject && !(await this.#host.allows(spec, signal)))
        throw new WorkbenchError(
          `The kernel “${spec.displayName}” is a part of this project, and you have not allowed it to run. Allow it, or choose another kernel.`,
        );
      const path = filePath(this.uri);
      const cwd = path === null ? this.#host.folder : dirname(path);
      const { env, startPatienceMs } = this.#host;
      const kernel = await RunningKernel.start({
        spec,
        cwd,
        env,
        patienceMs: startPatienceMs,
        signal,
      });
      kernel.onNews = (request, type, content) =>
        this.#listen(() => this.#hear(request, type, content));
      kernel.onLoss = () => this.#list?.lose();
      kernel.onPulse = (alive) => this.#tell(this.#info.status, alive ? null : NOT_ANSWERING);
      void kernel.ended.then((how) => this.#died(kernel, how));
      this.#kernel = kernel;
      this.#tell("idle", null);
      return kernel;
    } catch (problem) {
      const why = problem instanceof Error ? problem.message : String(problem);
      this.#tell(signal.aborted ? "off" : "dead", signal.aborted ? null : why);
      throw problem;
    }
  }

  async #choice(): Promise<KernelSpec> {
    const specs = await this.#host.find();
    const chosen = specs.find(({ id }) => id === this.#chosen);
    const spec = chosen ?? chooseKernel(specs, this.#wanted);
    if (spec) return spec;
    const { language = "Python" } = this.#wanted;
    throw new WorkbenchError(
      language.toLowerCase() === "python"
        ? `No Jupyter kernel was found. Install one: ${await installCommand()}`
        : `No Jupyter kernel for ${language} was found. Install one, or choose another kernel.`,
    );
  }

  #hear(request: string, type: string, content: Readonly<Record<string, unknown>>): void {
    if (type === "update_display_data") {
      const name = text(fields(content.transient).display_id);
      for (const list of this.#lists.values()) list.update(name, content);
    } else this.#lists.get(request)?.take(type, content);
  }

  #remember(id: string, list: OutputList): void {
    this.#list = list;
    this.#lists.set(id, list);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > REMEMBERED && oldest !== undefined) this.#lists.delete(oldest);
  }

  #died(kernel: RunningKernel, how: string): void {
    if (this.#kernel !== kernel) return;
    this.#kernel = null;
    void kernel.clear();
    this.#dropWaiting();
    const when = this.#current ? "while this code ran" : "by itself";
    this.#tell("dead", `The kernel died ${when} (${how}). Restart it and run again.`);
  }

  /** A listener that fails, or an output that makes no sense, must not make the kernel deaf. */
  #listen(listen: () => void): void {
    try {
      listen();
    } catch (problem) {
      this.#host.report(problem);
    }
  }

  #tell(status: KernelStatus, why: string | null): void {
    const { info } = this;
    if (info.status === status && info.why === why) return;
    this.#info = { ...info, status, why };
    for (const listener of [...this.#listeners]) this.#listen(listener);
  }
}

export interface Completion {
  readonly matches: readonly string[];
  /** What they take the place of. */
  readonly from: number;
  readonly to: number;
}

const NOT_ANSWERING = "The kernel does not answer. If it stays like this, restart it.";
const ABORTED: RunResult = { status: "aborted", executionCount: null, outputs: [] };
/** When code that nobody waits for is interrupted again, if it still runs. */
const AGAIN_MS = [1_000, 3_000];
/** How long an answer is of use while somebody types. */
const ASIDE_MS = 1_500;

/** `name?` in a cell: what a terminal would show in a pager. */
function pages(payload: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(payload)) return [];
  return payload.map(fields).filter(({ source }) => source === "page");
}

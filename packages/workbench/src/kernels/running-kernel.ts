import { WorkbenchError } from "../errors.js";
import { type Connection, makeConnection } from "./connection.js";
import { KernelChannels } from "./kernel-channels.js";
import { type Fields, type KernelMessage, text } from "./kernel-message.js";
import { KernelProcess } from "./kernel-process.js";
import { installCommand, type KernelSpec } from "./kernel-specs.js";

export interface StartOptions {
  readonly spec: KernelSpec;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** How long the start may take. */
  readonly patienceMs: number;
  /** Fires when nobody wants it any more. */
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly status: "ok" | "error" | "aborted";
  readonly content: Fields;
}

/** Between two attempts to hear from a kernel that starts. */
const ASK_AGAIN_MS = 500;
/** How long after the answer the last output may still be on its way, and the other way round. */
const LAST_OUTPUT_MS = 5_000;

/** One request and what is heard of it. */
interface Pending {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (problem: Error) => void;
  readonly onNews: (type: string, content: Fields) => void;
  /** Whether the answer is enough, or the kernel must also have said that it is idle again. */
  readonly untilIdle: boolean;
  reply: Reply | null;
  isIdle: boolean;
  late?: NodeJS.Timeout;
}

/** A kernel that has been started and has answered. */
export class RunningKernel implements AsyncDisposable {
  readonly spec: KernelSpec;
  readonly #connection: Connection;
  readonly #process: KernelProcess;
  readonly #pending = new Map<string, Pending>();
  #channels: KernelChannels | null = null;
  #hasNews = () => {};
  /** Told of every output and state, with the id of the request that it belongs to. */
  onNews: (request: string, type: string, content: Fields) => void = () => {};
  /** Told when outputs were lost. */
  onLoss: () => void = () => {};
  /** Told every few seconds whether it answers; also a busy one does. */
  onPulse: (alive: boolean) => void = () => {};

  private constructor(spec: KernelSpec, connection: Connection, process: KernelProcess) {
    this.spec = spec;
    this.#connection = connection;
    this.#process = process;
    void process.ended.then(() => this.#giveUp());
  }

  /** Resolves when the kernel answers and its outputs are heard, so that not even the first is lost. */
  static async start(options: StartOptions): Promise<RunningKernel> {
    const { spec, cwd, env } = options;
    const isPython = spec.language === "python";
    // Kernels of other languages may know ports only.
    const connection = await makeConnection(isPython);
    try {
      const process = await KernelProcess.start({
        argv: command(spec, connection),
        // By this one a kernel notices itself that its parent has gone.
        env: { ...env, ...expanded(spec.env, env), JPY_PARENT_PID: String(globalThis.process.pid) },
        // Python looks for its own modules in the working folder first, where a project could have its own.
        cwd: isPython ? connection.folder : cwd,
        folder: connection.folder,
      }).catch(async (problem: NodeJS.ErrnoException) => {
        throw await cannotStart(spec, problem.code ?? problem.message);
      });
      const kernel = new RunningKernel(spec, connection, process);
      try {
        await kernel.#greet(options);
        return kernel;
      } catch (problem) {
        process.kill();
        await process.ended;
        kernel.#channels?.[Symbol.dispose]();
        throw problem;
      }
    } catch (problem) {
      await connection[Symbol.asyncDispose]();
      throw problem;
    }
  }

  /** Resolves to a few words on how the process ended. */
  get ended(): Promise<string> {
    return this.#process.ended;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Sends a request; what else is heard of it goes to `onNews` until the answer is there. */
  request(
    type: string,
    content: Fields,
    options: {
      readonly onNews?: Pending["onNews"];
      readonly untilIdle?: boolean;
      readonly sent?: (id: string) => void;
    } = {},
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (!this.#channels || this.#process.isOver) return reject(new Error("The kernel has ended"));
      const id = this.#channels.send("shell", type, content);
      this.#pending.set(id, {
        resolve,
        reject,
        onNews: options.onNews ?? (() => {}),
        untilIdle: options.untilIdle ?? false,
        reply: null,
        isIdle: false,
      });
      options.sent?.(id);
    });
  }

  interrupt(): void {
    if (this.spec.interruptMode === "message")
      this.#channels?.send("control", "interrupt_request", {});
    else this.#process.interrupt();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.end(() =>
      this.#channels?.send("control", "shutdown_request", { restart: false }),
    );
    this.#channels?.[Symbol.dispose]();
    await this.#connection[Symbol.asyncDispose]();
  }

  /** Its process ended without being asked to: what it had is taken away. */
  async clear(): Promise<void> {
    this.#channels?.[Symbol.dispose]();
    await this.#connection[Symbol.asyncDispose]();
  }

  async #greet({ patienceMs, signal, cwd }: StartOptions): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      this.#hasNews = resolve;
    });
    this.#channels = await KernelChannels.open(this.#connection, {
      onReply: (message) => this.#takeReply(message),
      onNews: (message) => this.#takeNews(message),
      onLoss: () => this.onLoss(),
      onPulse: (alive) => this.onPulse(alive),
    });
    let repeat: NodeJS.Timeout | undefined;
    let late: NodeJS.Timeout | undefined;
    let stop = () => {};
    try {
      const answered = new Promise<void>((resolve) => {
        const ask = () =>
          void this.request("kernel_info_request", {}).then(
            () => resolve(),
            () => {},
          );
        ask();
        // The first may come before the kernel's outputs can be heard; the next makes it tell again.
        repeat = setInterval(ask, ASK_AGAIN_MS);
      });
      const over = this.#process.ended.then(async (how) => {
        throw await endedAtOnce(this.spec, how, this.#process.tail);
      });
      const tooLate = new Promise<never>((_, reject) => {
        late = setTimeout(() => reject(tooSlow(this.spec, patienceMs)), patienceMs);
        stop = () => reject(new WorkbenchError("The kernel was stopped before it was ready."));
        signal.addEventListener("abort", stop, { once: true });
        if (signal.aborted) stop();
      });
      const ready = Promise.all([answered, heard]).then(() => this.#goTo(cwd));
      await Promise.race([ready, over, tooLate]);
    } finally {
      clearInterval(repeat);
      clearTimeout(late);
      signal.removeEventListener("abort", stop);
    }
  }

  /** To where its notebook is, which a Python is not started in. */
  async #goTo(folder: string): Promise<void> {
    if (this.spec.language !== "python") return;
    const code = `__import__("os").chdir(${JSON.stringify(folder)})`;
    const { status, content } = await this.request("execute_request", { code, silent: true });
    if (status !== "ok")
      throw new WorkbenchError(`The kernel cannot work in ${folder}: ${text(content.evalue)}`);
  }

  #takeReply({ parent, content }: KernelMessage): void {
    const pending = this.#pending.get(parent);
    if (!pending) return;
    const { status } = content;
    pending.reply = { status: status === "error" || status === "aborted" ? status : "ok", content };
    this.#settle(parent, pending);
    // If the kernel had to drop messages, the one that says "idle" may have been among them.
    if (this.#pending.has(parent)) this.#waitForLast(parent, pending);
  }

  #takeNews({ parent, type, content }: KernelMessage): void {
    this.#hasNews();
    const pending = this.#pending.get(parent);
    this.onNews(parent, type, content);
    if (!pending) return;
    pending.onNews(type, content);
    if (type === "status" && text(content.execution_state) === "idle") pending.isIdle = true;
    this.#settle(parent, pending);
    const isHalf = pending.reply !== null || pending.isIdle;
    if (isHalf && this.#pending.has(parent)) this.#waitForLast(parent, pending);
  }

  /** An answer and the word that it is idle belong together; a kernel that is interrupted may forget one. */
  #waitForLast(id: string, pending: Pending): void {
    clearTimeout(pending.late);
    pending.late = setTimeout(() => {
      pending.isIdle = true;
      pending.reply ??= { status: "aborted", content: {} };
      this.#settle(id, pending);
    }, LAST_OUTPUT_MS);
  }

  #settle(id: string, pending: Pending): void {
    if (!pending.reply || (pending.untilIdle && !pending.isIdle)) return;
    clearTimeout(pending.late);
    this.#pending.delete(id);
    pending.resolve(pending.reply);
  }

  #giveUp(): void {
    for (const pending of this.#pending.values()) {
      clearTimeout(pending.late);
      pending.reject(new Error("The kernel has ended"));
    }
    this.#pending.clear();
  }
}

function command({ argv }: KernelSpec, { file }: Connection): readonly [string, ...string[]] {
  const [program, ...args] = argv;
  return [program, ...args.map((arg) => arg.replaceAll("{connection_file}", file))];
}

/** A kernel's own variables may hold others, as in "${HOME}/data". */
function expanded(
  own: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): Fields & NodeJS.ProcessEnv {
  const expand = (value: string) => value.replace(/\$\{(\w+)\}/g, (_, name) => env[name] ?? "");
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [name, expand(value)]));
}

async function cannotStart(spec: KernelSpec, why: string): Promise<WorkbenchError> {
  const reason = why === "ENOENT" ? "there is no such program" : why;
  return new WorkbenchError(
    `The kernel “${spec.displayName}” could not be started: ${spec.argv[0]}: ${reason}. Choose another kernel, or install one: ${await installCommand()}`,
  );
}

async function endedAtOnce(spec: KernelSpec, how: string, tail: string): Promise<WorkbenchError> {
  if (/No module named '?ipykernel/.test(tail)) {
    const install = await installCommand(spec.argv[0]);
    return new WorkbenchError(`${spec.argv[0]} has no Jupyter kernel. Install it: ${install}`);
  }
  const last = tail.trim().split("\n").at(-1)?.slice(0, 500) ?? "";
  const said = last === "" ? "" : ` It said: ${last}`;
  return new WorkbenchError(
    `The kernel “${spec.displayName}” ended while it started (${how}).${said}`,
  );
}

function tooSlow(spec: KernelSpec, patienceMs: number): WorkbenchError {
  const seconds = Math.round(patienceMs / 1_000);
  return new WorkbenchError(
    `The kernel “${spec.displayName}” did not answer within ${seconds} s and was ended. Try again, or choose another kernel.`,
  );
}

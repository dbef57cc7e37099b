import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { printable } from "@lockstep/protocol";
import {
  CancellationTokenSource,
  createMessageConnection,
  ErrorCodes,
  type MessageConnection,
  NullLogger,
  ResponseError,
} from "vscode-jsonrpc/node";
import { WorkbenchError } from "../errors.js";
import { Cancelled, ServerRefusal } from "./asking-errors.js";
import { FrameReader } from "./frame-reader.js";
import { FrameWriter } from "./frame-writer.js";

/** What a server has to answer within, unless a request says otherwise. */
const ANSWER_MS = 10_000;
/** How long a server may take to end when it is asked to. */
const GOODBYE_MS = 1_000;
/** How long a server may live on that says nothing any more; most have ended and are told of next. */
const LAST_WORDS_MS = 500;
/** Characters of its last complaints, for the sentence that says why it ended. */
const MOST_COMPLAINTS = 2_000;

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

export interface LinkOptions {
  /** For people. */
  readonly name: string;
  readonly command: Command;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onNotification: (method: string, params: unknown) => void;
  /** Undefined: there is no such method. */
  readonly onRequest: (method: string, params: unknown) => unknown;
  /** Once, with what happened; not after {@link Link.close}. */
  readonly onEnd: (why: string) => void;
}

export interface Asking {
  readonly signal?: AbortSignal | undefined;
  readonly withinMs?: number;
}

/** A language server's process and the conversation with it. Every request ends, whatever it does. */
export class Link {
  readonly #options: LinkOptions;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #connection: MessageConnection;
  readonly #ended: Promise<void>;
  /** Those who wait for an answer, to be told that none comes. */
  readonly #asking = new Set<() => void>();
  #complaints = "";
  #over = false;

  constructor(options: LinkOptions) {
    const { command, cwd, env, onNotification, onRequest } = options;
    this.#options = options;
    // A group of its own: what it starts ends with it.
    const stdio = ["pipe", "pipe", "pipe"] as const;
    const child = spawn(command.program, command.args, {
      cwd,
      env,
      stdio: [...stdio],
      detached: true,
    });
    this.#child = child as ChildProcessWithoutNullStreams;
    const { stdin, stdout, stderr } = this.#child;
    const reader = new FrameReader(stdout, (what) => this.#end(`it sent ${what}`));
    const writer = new FrameWriter(stdin, () => this.#end("it does not read what it is sent"));
    this.#connection = createMessageConnection(reader, writer, NullLogger);
    this.#connection.onNotification((method, params) => onNotification(method, params));
    this.#connection.onRequest((method, params) => {
      const answer = onRequest(method, params);
      if (answer !== undefined) return answer;
      return new ResponseError(ErrorCodes.MethodNotFound, `Lockstep does not know ${method}`);
    });
    // The process's end says more than that its pipes are broken.
    this.#connection.onError(() => {});
    this.#connection.onUnhandledProgress((params) => onNotification("$/progress", params));
    for (const stream of [stdin, stdout, stderr]) stream.on("error", () => {});
    stderr.on("data", (chunk: Buffer) => {
      this.#complaints = (this.#complaints + chunk.toString()).slice(-MOST_COMPLAINTS);
    });
    this.#ended = new Promise((resolve) => {
      child.on("error", (problem) => {
        this.#end(`it did not start (${problem.message})`);
        resolve();
      });
      child.on("exit", (code, signal) => {
        this.#end(`it ended with ${signal ?? `code ${code}`}${this.#lastWords()}`);
        resolve();
      });
    });
    this.#ended.then(() => {
      for (const giveUp of this.#asking) giveUp();
    });
    stdout.on("close", () => {
      setTimeout(() => this.#end("it closed its output"), LAST_WORDS_MS).unref();
    });
    this.#connection.listen();
  }

  get isOver(): boolean {
    return this.#over;
  }

  /** Fails with a sentence when it is cancelled, takes too long, or the server ends. */
  async request(method: string, params: unknown, { signal, withinMs = ANSWER_MS }: Asking = {}) {
    const { name } = this.#options;
    if (this.#over) throw new WorkbenchError(`${name} has ended: ask again in a moment.`);
    if (signal?.aborted) throw new Cancelled();
    const source = new CancellationTokenSource();
    let stop = () => {};
    const stopped = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => reject(tooSlow(name, withinMs)), withinMs);
      const abort = () => reject(new Cancelled());
      const giveUp = () => reject(ended(name));
      signal?.addEventListener("abort", abort);
      this.#asking.add(giveUp);
      stop = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        this.#asking.delete(giveUp);
      };
    });
    try {
      const answer = this.#connection.sendRequest<unknown>(method, params, source.token);
      return await Promise.race([answer, stopped]);
    } catch (problem) {
      // Nobody waits for it any more, so it need not work on it.
      source.cancel();
      if (problem instanceof WorkbenchError || problem instanceof Cancelled) throw problem;
      if (this.#over) throw ended(name);
      throw new ServerRefusal(name, problem);
    } finally {
      stop();
      source.dispose();
    }
  }

  notify(method: string, params: unknown): void {
    if (this.#over) return;
    try {
      this.#connection.sendNotification(method, params).catch(() => {});
    } catch {
      // A pipe that breaks now, or is closed, is told by the process's end.
    }
  }

  /** As the protocol wants it, and by force if the server does not follow, or has not greeted yet. */
  async close(greeted: boolean): Promise<void> {
    if (!this.#over && greeted) {
      await this.request("shutdown", undefined, { withinMs: GOODBYE_MS }).catch(() => {});
      this.notify("exit", undefined);
    }
    this.#over = true;
    this.#child.stdin.end();
    if (greeted) await Promise.race([this.#ended, delay(GOODBYE_MS, undefined, { ref: false })]);
    this.#kill();
    this.#connection.dispose();
    await this.#ended;
  }

  #end(why: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#kill();
    this.#connection.dispose();
    this.#options.onEnd(why);
  }

  #kill(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It is gone already.
    }
  }

  #lastWords(): string {
    const lines = this.#complaints.trim().split("\n");
    // What comes after it is where in the program that was, which helps nobody here.
    const line = lines.find((each) => /\berror\b|\bpanicked\b/i.test(each)) ?? lines.at(-1) ?? "";
    return line === "" ? "" : `: ${printable(line.trim()).slice(0, 300)}`;
  }
}

const ended = (name: string) => new WorkbenchError(`${name} ended while it was asked.`);

const tooSlow = (name: string, ms: number) =>
  new WorkbenchError(
    `${name} did not answer within ${ms / 1_000} seconds: try again, or restart it.`,
  );

import type { Uri } from "@lockstep/protocol";
import type { LanguageServerInfo } from "../contract/languages.js";
import { WorkbenchError } from "../errors.js";
import type { Wish } from "../permissions/permissions.js";
import type { Store } from "../state/store.js";
import type { Loose } from "./capabilities.js";
import type { ServerSpec } from "./catalogue.js";
import { aborted, Diagnosing } from "./diagnosing.js";
import type { ContentChange, FollowedText } from "./followed-text.js";
import type { Problems } from "./problems.js";
import type { RunningServer } from "./running-server.js";
import type { Resolved } from "./server-programs.js";
import type { WatchedChange } from "./watched-files.js";

/** How long to wait before the next start, after the first, the second… end in a short time. */
const BACK_OFF_MS: readonly number[] = [500, 2_000, 5_000, 15_000];
/** Ends that are longer ago do not count any more. */
const SHORT_TIME_MS = 3 * 60_000;

export interface LanguageServerOptions {
  readonly spec: ServerSpec;
  readonly store: Store;
  readonly folders: readonly string[];
  readonly env: () => Promise<NodeJS.ProcessEnv>;
  /** Those of its languages. */
  readonly texts: () => readonly FollowedText[];
  readonly problems: Problems;
  readonly resolve: (spec: ServerSpec) => Promise<Resolved>;
  readonly applyEdit: (server: LanguageServer, edit: unknown) => Promise<boolean>;
  readonly backOffMs?: readonly number[];
}

/** One language server over all its lives: started when it is needed, and again when it has crashed. */
export class LanguageServer {
  readonly spec: ServerSpec;
  readonly #options: LanguageServerOptions;
  #running: RunningServer | null = null;
  #diagnosing: Diagnosing | null = null;
  #starting: Promise<void> | null = null;
  #life = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #status: LanguageServerInfo["status"] | "idle" = "idle";
  #ends: readonly number[] = [];
  #resolved: Resolved | null = null;
  #closed = false;

  constructor(options: LanguageServerOptions) {
    this.spec = options.spec;
    this.#options = options;
  }

  get name(): string {
    return this.spec.name;
  }

  /** Null while it does not run. */
  get running(): RunningServer | null {
    return this.#running;
  }

  /** What the person could allow it. */
  get wish(): Wish | null {
    if (this.#resolved?.kind === "refused") return this.#resolved.wish;
    return this.#resolved?.kind === "command" ? (this.#resolved.open?.wish ?? null) : null;
  }

  /** The permission that it runs by; null if it needs none. */
  get needs(): Wish | null {
    return this.#resolved?.kind === "command" ? this.#resolved.needs : null;
  }

  get #note(): string {
    return this.#resolved?.kind === "command" ? (this.#resolved.open?.note ?? "") : "";
  }

  /** Nothing has needed it yet. */
  get isCold(): boolean {
    return this.#status === "idle";
  }

  /** Starts it, unless it runs, waits for its next start, or has given up. */
  need(): void {
    if (this.#status === "idle") this.#start();
  }

  /** It, once it runs; null if it does not, or not in time. */
  async ready(signal: AbortSignal): Promise<RunningServer | null> {
    this.need();
    if (this.#starting) await Promise.race([this.#starting, aborted(signal)]);
    return this.#running;
  }

  opened(text: FollowedText): void {
    this.need();
    this.#running?.open(text);
    this.#diagnosing?.touch();
  }

  changed(text: FollowedText, changes: readonly ContentChange[]): void {
    this.#running?.change(text, changes);
    this.#diagnosing?.touch();
  }

  saved(text: FollowedText): void {
    this.#running?.saved(text);
  }

  forgotten({ uri }: FollowedText): void {
    this.#running?.forget(uri);
    this.#diagnosing?.forget(uri);
    this.#diagnosing?.touch();
    this.#options.problems.clear(this.#source("pulled"), uri);
    this.#options.problems.clear(this.#source("pushed"), uri);
  }

  watched(changes: readonly WatchedChange[]): void {
    if (this.#running?.watched(changes)) this.#diagnosing?.touch();
  }

  /** When it has said what it has to say of the text, or of all; at once if it does not run. */
  async settled(signal: AbortSignal, uri?: Uri): Promise<void> {
    if (this.#starting) await Promise.race([this.#starting, aborted(signal)]);
    await this.#diagnosing?.settled(signal, uri);
  }

  /** What it has said of a file, in its own words. */
  rawProblems(uri: Uri) {
    const { problems } = this.#options;
    return [
      ...problems.by(this.#source("pulled"), uri),
      ...problems.by(this.#source("pushed"), uri),
    ];
  }

  /** By the person: also one that has given up. */
  async restart(): Promise<void> {
    await this.#stop();
    this.#ends = [];
    this.#start();
    await this.#starting;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#stop();
    this.#options.store.remove("languageServers", this.spec.id);
    this.#clearProblems();
  }

  async #stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#life.abort();
    await this.#starting;
    const running = this.#running;
    this.#forgetLife();
    await running?.close();
  }

  #start(): void {
    this.#show("working", "Starting");
    this.#life = new AbortController();
    const { signal } = this.#life;
    const starting = this.#startNow(signal).catch((problem: unknown) => {
      if (signal.aborted) return;
      this.#ended(problem instanceof WorkbenchError ? problem.message : String(problem));
    });
    this.#starting = starting.finally(() => {
      this.#starting = null;
    });
  }

  async #startNow(signal: AbortSignal): Promise<void> {
    const { folders, resolve, env } = this.#options;
    const found = await resolve(this.spec);
    if (signal.aborted) return;
    this.#resolved = found;
    if (found.kind === "missing") return this.#show("missing", found.why);
    if (found.kind === "refused") return this.#show("failed", found.why);
    const { spec } = found;
    // Most starts of the workbench need no server soon, and the protocol takes a while to load.
    const { RunningServer: Server } = await import("./running-server.js");
    let life: RunningServer | null = null;
    let end: string | null = null;
    const running = await Server.start({
      name: this.name,
      command: found.command,
      folders,
      env: await env(),
      initializationOptions: spec.initializationOptions,
      toldFirst: spec.toldFirst ?? [],
      settings: (spec.settings ?? {}) as Loose,
      signal,
      listener: {
        published: (uri, version, items) => this.#published(uri, version, items),
        refresh: () => this.#diagnosing?.refresh(),
        progress: (now) => this.#progress(now),
        idle: () => this.#diagnosing?.idle(),
        applyEdit: (edit) => this.#options.applyEdit(this, edit),
        ended: (why) => {
          end = why;
          if (life !== null && this.#running === life) this.#ended(why);
        },
      },
    }).catch((problem: unknown) => {
      throw end === null ? problem : new WorkbenchError(end);
    });
    life = running;
    if (signal.aborted) return running.close();
    if (end !== null) throw new WorkbenchError(end);
    this.#begin(running);
  }

  #begin(running: RunningServer): void {
    const { texts, problems } = this.#options;
    const { leaveOut } = this.spec;
    this.#running = running;
    this.#diagnosing = new Diagnosing({
      server: running,
      texts,
      found: (uri, items, how) => problems.set(this.#source(how), uri, items, leaveOut),
    });
    this.#show("ready", this.#note);
    for (const text of texts()) running.open(text);
    this.#diagnosing.touch();
  }

  #published(uri: Uri, version: number | null, items: readonly unknown[]): void {
    if (this.#diagnosing) this.#diagnosing.published(uri, version, items);
  }

  #progress(now: { readonly text: string; readonly part: number | null } | null): void {
    if (!this.#running) return;
    if (now) this.#show("working", now.text, now.part);
    else this.#show("ready", this.#note);
  }

  /** Its process is gone. What it said stays until it runs again, so that old problems do not look new. */
  #ended(why: string): void {
    if (this.#closed) return;
    this.#forgetLife();
    const now = Date.now();
    this.#ends = [...this.#ends.filter((at) => now - at < SHORT_TIME_MS), now];
    const waits = this.#options.backOffMs ?? BACK_OFF_MS;
    const wait = waits[this.#ends.length - 1];
    if (wait === undefined) {
      this.#clearProblems();
      this.#show("failed", `${sentence(why)} It is not started any more: restart it by hand.`);
      return;
    }
    this.#show("waiting", `${sentence(why)} It is started again in ${Math.ceil(wait / 1_000)} s.`);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#start();
    }, wait);
  }

  #forgetLife(): void {
    this.#diagnosing?.close();
    this.#diagnosing = null;
    this.#running = null;
  }

  #clearProblems(): void {
    this.#options.problems.clear(this.#source("pulled"));
    this.#options.problems.clear(this.#source("pushed"));
  }

  #source(how: "pulled" | "pushed"): string {
    return `${this.spec.id} ${how}`;
  }

  #show(
    status: LanguageServerInfo["status"],
    detail: string,
    progress: number | null = null,
  ): void {
    this.#status = status;
    if (this.#closed) return;
    const { id, name } = this.spec;
    this.#options.store.put("languageServers", id, { id, name, status, detail, progress });
  }
}

/** "it ended with code 1" becomes "It ended with code 1." */
const sentence = (why: string): string =>
  `${why.charAt(0).toUpperCase()}${why.slice(1)}${/[.!?]$/.test(why) ? "" : "."}`;

import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileUri, parseUri, printable, type Uri } from "@lockstep/protocol";
import type { InitializeParams } from "vscode-languageserver-protocol";
import { ServerRefusal } from "./asking-errors.js";
import { CAPABILITIES, isObject, type Loose, Offers } from "./capabilities.js";
import type { ContentChange, FollowedText } from "./followed-text.js";
import { type Asking, type Command, Link } from "./link.js";
import * as lsp from "./lsp.js";
import { ProgressOf } from "./progress.js";
import { type WatchedChange, WatchedFiles } from "./watched-files.js";

/** A large project on a slow machine takes its time before it says hello. */
const START_MS = 60_000;
/** So many files are told of at once; a server that missed some looks at its files itself. */
const MOST_WATCHED = 5_000;
/** A server that says "ask again" is asked so often, and after this time, twice it, and so on. */
const TRIES = 5;
const AGAIN_MS = 100;
/** What a server answers that could not finish because something changed meanwhile. */
const SERVER_CANCELLED = -32_802;
const CONTENT_MODIFIED = -32_801;

/** What a server tells by itself. */
export interface ServerListener {
  /** `version` is null if it does not say which. */
  published(uri: Uri, version: number | null, items: readonly unknown[]): void;
  /** What it said of problems may be wrong now. */
  refresh(): void;
  /** Null: it does nothing of its own now. */
  progress(now: { readonly text: string; readonly part: number | null } | null): void;
  /** All that it said it was doing is done. */
  idle(): void;
  applyEdit(edit: unknown): Promise<boolean>;
  ended(why: string): void;
}

export interface ServerStart {
  readonly name: string;
  readonly command: Command;
  readonly folders: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly initializationOptions?: Loose | undefined;
  readonly toldFirst: readonly string[];
  readonly settings: Loose;
  readonly listener: ServerListener;
  /** It is not wanted any more, though it has not greeted yet. */
  readonly signal: AbortSignal;
}

const WATCHED_KINDS = { create: 1, update: 2, delete: 3 } as const;

/** A language server that has been greeted, and the texts that it has open. */
export class RunningServer {
  readonly name: string;
  readonly #link: Link;
  readonly #start: ServerStart;
  readonly #progress: ProgressOf;
  readonly #watched: WatchedFiles;
  #offers = new Offers({});
  /** With the version that it has. */
  readonly #open = new Map<Uri, number>();
  /** Texts that it gets whole, and whose newest version it does not have yet. */
  readonly #late = new Map<Uri, FollowedText>();
  #timer: NodeJS.Timeout | null = null;

  private constructor(start: ServerStart) {
    this.name = start.name;
    this.#start = start;
    this.#progress = new ProgressOf(
      (now) => start.listener.progress(now),
      () => start.listener.idle(),
    );
    this.#watched = new WatchedFiles(start.folders);
    this.#link = new Link({
      name: start.name,
      command: start.command,
      cwd: start.folders[0] ?? "/",
      env: start.env,
      onNotification: (method, params) => this.#hear(method, params),
      onRequest: (method, params) => this.#answer(method, params),
      onEnd: (why) => {
        this.#stopTimer();
        start.listener.ended(why);
      },
    });
  }

  /** Fails with a sentence if it does not answer its greeting; then it has ended. */
  static async start(start: ServerStart): Promise<RunningServer> {
    const server = new RunningServer(start);
    try {
      await server.#greet();
    } catch (problem) {
      await server.#link.close(false);
      throw problem;
    }
    return server;
  }

  /** Its options for a method; null if it does not offer it. */
  offer(method: string): Loose | null {
    return this.#offers.of(method);
  }

  /** It says that it is doing something of its own, such as loading the project. */
  get isAtWork(): boolean {
    return this.#progress.isAtWork;
  }

  has(uri: Uri): boolean {
    return this.#open.has(uri);
  }

  /** Asks again where the server says that its answer would be of something that has changed. */
  async request(method: string, params: unknown, asking?: Asking): Promise<unknown> {
    for (let tries = 1; ; tries++) {
      this.flush();
      try {
        return await this.#link.request(method, params, asking);
      } catch (problem) {
        if (!isOutdated(problem) || tries >= TRIES) throw problem;
      }
      await delay(tries * AGAIN_MS, undefined, { ref: false });
    }
  }

  open({ uri, languageId, version, text }: FollowedText): void {
    this.#open.set(uri, version);
    const textDocument = { uri, languageId, version, text: text.toString() };
    this.#link.notify("textDocument/didOpen", { textDocument });
  }

  change(followed: FollowedText, changes: readonly ContentChange[]): void {
    const { uri, version } = followed;
    if (!this.#open.has(uri)) return;
    if (this.#offers.incremental) {
      this.#open.set(uri, version);
      this.#tellChange(uri, version, changes);
      return;
    }
    // The whole text with every letter would be too much.
    this.#late.set(uri, followed);
    this.#timer ??= setTimeout(() => this.flush(), WHOLE_TEXT_MS);
  }

  /** It gets what it does not have yet. */
  flush(): void {
    this.#stopTimer();
    for (const { uri, version, text } of this.#late.values()) {
      this.#open.set(uri, version);
      this.#tellChange(uri, version, [{ text: text.toString() }]);
    }
    this.#late.clear();
  }

  saved({ uri, text }: FollowedText): void {
    const wish = this.#offers.save;
    if (!wish || !this.#open.has(uri)) return;
    this.flush();
    const whole = wish.includeText ? { text: text.toString() } : {};
    this.#link.notify("textDocument/didSave", { textDocument: { uri }, ...whole });
  }

  forget(uri: Uri): void {
    this.#late.delete(uri);
    if (this.#open.delete(uri)) {
      this.#link.notify("textDocument/didClose", { textDocument: { uri } });
    }
  }

  /** Files have changed on the disk. Whether that is something that the server asked to hear of. */
  watched(changes: readonly WatchedChange[]): boolean {
    const events = this.#watched
      .among(changes)
      .slice(0, MOST_WATCHED)
      .map(({ path, kind }) => ({ uri: fileUri(path), type: WATCHED_KINDS[kind] }));
    if (events.length === 0) return false;
    this.#link.notify("workspace/didChangeWatchedFiles", { changes: events });
    return true;
  }

  async close(): Promise<void> {
    this.#stopTimer();
    await this.#link.close(true);
  }

  async #greet(): Promise<void> {
    const { folders, initializationOptions, toldFirst, settings, signal } = this.#start;
    const roots = folders.map((path) => ({ uri: fileUri(path), name: basename(path) }));
    const params: InitializeParams = {
      processId: process.pid,
      clientInfo: { name: "Lockstep" },
      rootUri: roots[0]?.uri ?? null,
      rootPath: folders[0] ?? null,
      workspaceFolders: roots,
      capabilities: CAPABILITIES,
      ...(initializationOptions ? { initializationOptions } : {}),
    };
    const answer = await this.#link.request("initialize", params, { withinMs: START_MS, signal });
    this.#offers = new Offers(isObject(answer) ? answer.capabilities : null);
    this.#link.notify("initialized", {});
    for (const method of toldFirst) this.#link.notify(method, {});
    // Some read their settings only from here. Empty ones would switch checks off.
    if (Object.keys(settings).length > 0)
      this.#link.notify("workspace/didChangeConfiguration", { settings });
  }

  #hear(method: string, params: unknown): void {
    if (method === "textDocument/publishDiagnostics") {
      const { data } = lsp.published.safeParse(params);
      const uri = data && parseUri(data.uri);
      if (uri) this.#start.listener.published(uri, data.version ?? null, data.diagnostics);
    } else if (method === "$/progress") {
      this.#progress.hear(params);
    } else if (method === "experimental/serverStatus") {
      this.#progress.hearStatus(params);
    }
  }

  /** Undefined for what nobody here knows. */
  #answer(method: string, params: unknown): unknown {
    switch (method) {
      case "workspace/configuration":
        return this.#configuration(params);
      case "workspace/workspaceFolders":
        return this.#start.folders.map((path) => ({ uri: fileUri(path), name: basename(path) }));
      case "client/registerCapability":
        return this.#register(params);
      case "client/unregisterCapability":
        for (const { id } of lsp.unregistrations.safeParse(params).data?.unregisterations ?? [])
          this.#unregister(id);
        return null;
      case "window/workDoneProgress/create":
      case "window/showMessageRequest":
        return null;
      case "window/showDocument":
        return { success: false };
      case "workspace/diagnostic/refresh":
        this.#start.listener.refresh();
        return null;
      case "workspace/applyEdit":
        return this.#applyEdit(params);
      default:
        return undefined;
    }
  }

  #register(params: unknown): null {
    const { data } = lsp.registrations.safeParse(params);
    for (const { id, method, registerOptions } of data?.registrations ?? []) {
      if (method === "workspace/didChangeWatchedFiles") this.#watched.register(id, registerOptions);
      else this.#offers.register(id, method, registerOptions);
      // From now on it is asked, for the texts that it has already.
      if (method === "textDocument/diagnostic") this.#start.listener.refresh();
    }
    return null;
  }

  #unregister(id: string): void {
    this.#offers.unregister(id);
    this.#watched.unregister(id);
  }

  async #applyEdit(params: unknown): Promise<unknown> {
    const edit = isObject(params) ? params.edit : null;
    try {
      const applied = await this.#start.listener.applyEdit(edit);
      if (applied) return { applied };
      return { applied, failureReason: "Nobody has asked for an edit." };
    } catch (problem) {
      return { applied: false, failureReason: printable(String(problem)) };
    }
  }

  #configuration(params: unknown): readonly unknown[] {
    const items = isObject(params) && Array.isArray(params.items) ? params.items : [];
    return items.slice(0, 1_000).map((item: unknown) => {
      const section = isObject(item) && typeof item.section === "string" ? item.section : "";
      return sectionOf(this.#start.settings, section);
    });
  }

  #tellChange(uri: Uri, version: number, contentChanges: readonly ContentChange[]): void {
    const textDocument = { uri, version };
    this.#link.notify("textDocument/didChange", { textDocument, contentChanges });
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

const WHOLE_TEXT_MS = 150;

/** `python.analysis` is the entry `analysis` of the entry `python`; null where there is none. */
function sectionOf(settings: Loose, section: string): unknown {
  if (section === "") return settings;
  let at: unknown = settings;
  for (const name of section.split(".")) {
    at = isObject(at) && Object.hasOwn(at, name) ? at[name] : null;
  }
  return at ?? null;
}

const isOutdated = (problem: unknown): boolean =>
  problem instanceof ServerRefusal &&
  (problem.code === SERVER_CANCELLED || problem.code === CONTENT_MODIFIED);

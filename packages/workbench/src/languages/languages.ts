import { basename } from "node:path";
import {
  type Call,
  type DiagnosticsRequest,
  type FileDiagnostics,
  languageId,
  type Question,
} from "@lockstep/editor";
import { filePath, fileUri, isWithin, printable, type Uri } from "@lockstep/protocol";
import type { languageCalls } from "../contract/languages.js";
import { type Documents, isBelow } from "../documents/documents.js";
import type { Files } from "../files/files.js";
import type { Permissions, Wish } from "../permissions/permissions.js";
import type { SettingsStore } from "../settings/settings.js";
import type { Surroundings } from "../surroundings.js";
import type { Handlers } from "../windows/router.js";
import { Actions } from "./actions.js";
import { aborted } from "./diagnosing.js";
import { EditUndo } from "./edit-undo.js";
import { FollowedTexts, type FollowListener } from "./followed-texts.js";
import { Formatting } from "./formatting.js";
import { pageCalls } from "./page-calls.js";
import { Places } from "./places.js";
import { Problems } from "./problems.js";
import { findSamples } from "./samples.js";
import { ServerSet } from "./server-set.js";
import type { WatchedChange } from "./watched-files.js";
import { WorkspaceEdits } from "./workspace-edits.js";

/** Of files that change at once, as when a branch is changed, the last so many are followed. */
const MOST_WRITTEN = 100;
/** How long a question stays before the person. */
const ASK_MS = 60_000;
/** An agent gives up on a format after ten seconds, so it waits for a person no longer than this. */
const AGENT_ASK_MS = 3_000;

export interface LanguagesOptions {
  readonly documents: Documents;
  readonly files: Files;
  readonly settings: SettingsStore;
  readonly permissions: Permissions;
  /** Puts a question to the person; false if they do not answer in time. */
  readonly ask: (question: Question, signal: AbortSignal) => Promise<boolean>;
  readonly env: NodeJS.ProcessEnv;
  /** The problems of these files have changed. */
  readonly tell: (uris: readonly Uri[]) => void;
  /** Waits between the starts of a server that crashes. */
  readonly backOffMs?: readonly number[];
}

/** What language servers know of the documents and files. */
export class Languages {
  readonly handlers: Handlers<typeof languageCalls>;
  readonly #surroundings: Surroundings;
  readonly #options: LanguagesOptions;
  readonly #problems: Problems;
  readonly #servers: ServerSet;
  readonly #texts: FollowedTexts;
  readonly #formatting: Formatting;
  /** What the person has not said yes to when an agent wanted it. */
  readonly #declined = new Set<string>();
  /** A turn has begun: what changes on the disk from now on is followed. */
  #turn = false;
  #warming: Promise<void> | null = null;
  #closed = false;

  constructor(surroundings: Surroundings, options: LanguagesOptions) {
    const { folders, report } = surroundings;
    const { documents, files, settings, permissions, env } = options;
    this.#surroundings = surroundings;
    this.#options = options;
    this.#problems = new Problems(surroundings, options.tell);
    const edits = new WorkspaceEdits(
      documents,
      files,
      (uri) => this.#texts.get(uri)?.version ?? null,
    );
    const actions = new Actions(edits);
    const servers = new ServerSet({
      surroundings,
      env,
      problems: this.#problems,
      texts: () => this.#texts.all(),
      isAllowed: (key) => permissions.has(key),
      allow: (wish) => this.#allow(wish),
      applyEdit: (server, edit) => actions.applyEdit(server, edit),
      backOffMs: options.backOffMs,
    });
    this.#servers = servers;
    const listener: FollowListener = {
      opened: (text) => servers.each(text, (server) => server.opened(text)),
      changed: (text, changes) => servers.each(text, (server) => server.changed(text, changes)),
      saved: (text) => servers.each(text, (server) => server.saved(text)),
      closed: (text) => servers.each(text, (server) => server.forgotten(text)),
    };
    const isKnown = (id: string) => servers.of(id).length > 0;
    this.#texts = new FollowedTexts(documents, isKnown, listener, report);
    this.#formatting = new Formatting({
      folders,
      env: () => servers.environment(),
      documents,
      files,
      texts: this.#texts,
      settings: () => settings.now,
      serversOf: (id) => servers.of(id),
    });
    this.handlers = pageCalls({
      texts: this.#texts,
      serversOf: (id) => servers.of(id),
      newUndo: () => new EditUndo(documents, files),
      places: new Places(folders, (uri) => this.#texts.get(uri)?.text ?? null),
      edits,
      actions,
      format: (uri, range, signal) => this.#formatForPerson(uri, range, signal),
      restart: (id) => servers.restart(id),
    });
    files.onDisk((paths, changes) => {
      this.#noticeDisk(paths, changes).catch(report);
    });
    settings.onChange(() => {
      this.#reconfigure().catch(report);
    });
    permissions.onRevoke(() => {
      servers.revoked().catch(report);
    });
  }

  /**
   * What is wrong, for agents. Files are looked at again first, because whoever asks may have written
   * one a moment ago; then the servers have `settleMs` to say what they think of it.
   */
  async diagnostics({ uri, settleMs }: DiagnosticsRequest): Promise<readonly FileDiagnostics[]> {
    const late = AbortSignal.timeout(settleMs);
    await Promise.race([this.#settle(uri, late), aborted(late)]);
    const uris = uri === undefined ? this.#problems.uris : [uri];
    return uris.map((each) => ({
      uri: each,
      items: this.#problems.of(each).map(({ problem }) => {
        const { message, severity, range, source, code } = problem;
        const more = { ...(source ? { source } : {}), ...(code ? { code } : {}) };
        return { message, severity, range, ...more };
      }),
    }));
  }

  /** For agents: an open document is saved if it was clean, a file is written. */
  async format({ uri }: { readonly uri: Uri }, { signal }: Call): Promise<void> {
    const allow = (wish: Wish) => {
      const late = aborted(AbortSignal.timeout(AGENT_ASK_MS)).then(() => false);
      return Promise.race([this.#allowAgent(wish), late]);
    };
    const { by, instead } = await this.#formatting.format({ uri, signal, allow }, true);
    this.#sayInstead(uri, by, instead);
  }

  /** An agent came, or was sent a prompt: servers get ready for the files that it may write. */
  warm(): void {
    this.#turn = true;
    if (this.#closed) return;
    this.#warming ??= this.#openSamples()
      .catch(this.#surroundings.report)
      .finally(() => {
        this.#warming = null;
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#servers.close();
    this.#problems.close();
  }

  async #formatForPerson(
    uri: Uri,
    range: Parameters<Formatting["format"]>[0]["range"],
    signal: AbortSignal,
  ): Promise<void> {
    const allow = (wish: Wish) => this.#allow(wish);
    const { by, instead } = await this.#formatting.format({ uri, range, signal, allow }, false);
    this.#sayInstead(uri, by, instead);
  }

  #sayInstead(uri: Uri, by: string, instead: string | null): void {
    const id = "languages.formatted";
    const name = printable(basename(filePath(uri) ?? uri));
    const text = `${name} was formatted by ${by}, because ${instead} is not allowed to run here.`;
    const { store } = this.#surroundings;
    if (instead) store.put("notices", id, { id, severity: "information", text });
    else store.remove("notices", id);
  }

  #allow(wish: Wish): Promise<boolean> {
    const { permissions, ask } = this.#options;
    const [who = "", ...what] = wish.title.split(" may ");
    const title = `May ${who.replace(/^This /, "this ")} ${what.join(" may ")}?`;
    const detail = `${wish.detail}\n\nThis is code of the project that you have opened. Allow it only if you trust where the project comes from.`;
    return permissions.allow(wish, () => ask({ title, detail }, AbortSignal.timeout(ASK_MS)));
  }

  /** An agent may ask again and again; the person who did not say yes is asked only by their own click. */
  async #allowAgent(wish: Wish): Promise<boolean> {
    const key = JSON.stringify(wish.key);
    if (this.#declined.has(key) && !this.#options.permissions.has(wish.key)) return false;
    const yes = await this.#allow(wish);
    if (!yes) this.#declined.add(key);
    return yes;
  }

  async #reconfigure(): Promise<void> {
    await this.#servers.reconfigure();
    this.#texts.lookAtTabs();
  }

  /** A server loads a project when a file of it is opened. One that runs has what it needs. */
  async #openSamples(): Promise<void> {
    const { files } = this.#options;
    await files.ready;
    const cold = this.#servers.all.filter(({ isCold }) => isCold).map(({ spec }) => spec);
    if (cold.length === 0) return;
    for (const path of await findSamples(cold, files.paths())) {
      await this.#texts.follow(fileUri(path));
    }
  }

  async #settle(uri: Uri | undefined, late: AbortSignal): Promise<void> {
    if (uri === undefined) await this.#texts.reread();
    else if (this.#isInside(uri)) await this.#texts.follow(uri);
    const text = uri === undefined ? null : this.#texts.get(uri);
    const concerned =
      uri === undefined ? this.#servers.all : this.#servers.of(text?.languageId ?? "");
    await Promise.all(concerned.map((server) => server.settled(late, uri)));
  }

  async #noticeDisk(paths: readonly string[], changes: readonly WatchedChange[]): Promise<void> {
    const changed = new Set(paths);
    await this.#texts.noticeDisk((path) => isBelow(path, changed));
    for (const server of this.#servers.all) server.watched(changes);
    if (!this.#turn) return;
    const { files } = this.#options;
    const written = changes.filter(({ path, kind }) => kind !== "delete" && !files.isIgnored(path));
    for (const { path } of written.slice(-MOST_WRITTEN)) {
      if (this.#servers.of(languageId(basename(path))).length > 0)
        await this.#texts.follow(fileUri(path));
    }
  }

  #isInside(uri: Uri): boolean {
    const path = filePath(uri);
    return path !== null && this.#surroundings.folders.some((folder) => isWithin(path, folder));
  }
}

import { basename } from "node:path";
import { type DiagnosticsRequest, type FileDiagnostics, languageId } from "@lockstep/editor";
import { filePath, fileUri, isWithin, type Uri } from "@lockstep/protocol";
import type { languageCalls } from "../contract/languages.js";
import type { Documents } from "../documents/documents.js";
import { WorkbenchError } from "../errors.js";
import type { Files } from "../files/files.js";
import type { Surroundings } from "../surroundings.js";
import type { Handlers } from "../windows/router.js";
import { Actions } from "./actions.js";
import { CATALOGUE, type ServerSpec } from "./catalogue.js";
import { aborted } from "./diagnosing.js";
import type { FollowedText } from "./followed-text.js";
import { FollowedTexts } from "./followed-texts.js";
import { type Found, LanguageServer } from "./language-server.js";
import { pageCalls } from "./page-calls.js";
import { Places } from "./places.js";
import { Problems } from "./problems.js";
import { findProgram, programFolders } from "./programs.js";
import type { WatchedChange } from "./running-server.js";
import { findSamples } from "./samples.js";
import { WorkspaceEdits } from "./workspace-edits.js";

/** Of files that change at once, as when a branch is changed, the last so many are followed. */
const MOST_WRITTEN = 100;

const refuse = () => {
  throw new WorkbenchError("No language server is running.");
};

export interface LanguagesOptions {
  readonly documents: Documents;
  readonly files: Files;
  readonly env: NodeJS.ProcessEnv;
  /** The problems of these files have changed. */
  readonly tell: (uris: readonly Uri[]) => void;
}

/** What language servers know of the documents and files. */
export class Languages {
  readonly handlers: Handlers<typeof languageCalls>;
  readonly #surroundings: Surroundings;
  readonly #options: LanguagesOptions;
  readonly #problems: Problems;
  readonly #servers: readonly LanguageServer[];
  readonly #texts: FollowedTexts;
  readonly #actions: Actions;
  /** A turn has begun: what changes on the disk from now on is followed. */
  #turn = false;
  #warming: Promise<void> | null = null;
  #closed = false;

  constructor(surroundings: Surroundings, options: LanguagesOptions) {
    this.#surroundings = surroundings;
    this.#options = options;
    this.#problems = new Problems(surroundings, options.tell);
    const { store, folders } = surroundings;
    this.#servers = CATALOGUE.map(
      (spec) =>
        new LanguageServer({
          spec,
          store,
          folders,
          env: async () => ({ ...options.env, PATH: (await this.#programFolders()).join(":") }),
          texts: () =>
            this.#texts.all().filter((text) => spec.languageIds.includes(text.languageId)),
          problems: this.#problems,
          find: (wanted) => this.#find(wanted),
          applyEdit: (server, edit) => this.#actions.applyEdit(server, edit),
        }),
    );
    const isKnown = (languageId: string) => this.#of(languageId).length > 0;
    this.#texts = new FollowedTexts(options.documents, isKnown, {
      opened: (text) => this.#each(text, (server) => server.opened(text)),
      changed: (text, changes) => this.#each(text, (server) => server.changed(text, changes)),
      saved: (text) => this.#each(text, (server) => server.saved(text)),
      closed: (text) => this.#each(text, (server) => server.forgotten(text)),
    });
    const { documents, files } = options;
    const edits = new WorkspaceEdits(
      documents,
      files,
      (uri) => this.#texts.get(uri)?.version ?? null,
    );
    this.#actions = new Actions(edits);
    this.handlers = pageCalls({
      texts: this.#texts,
      serversOf: (id) => this.#of(id),
      places: new Places(folders, (uri) => this.#texts.get(uri)?.text ?? null),
      edits,
      actions: this.#actions,
      format: refuse,
      restart: (id) => this.#restart(id),
    });
    files.onDisk((paths, changes) => {
      this.#noticeDisk(paths, changes).catch(surroundings.report);
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

  /** An agent came, or was sent a prompt: servers get ready for the files that it may write. */
  async warm(): Promise<void> {
    this.#turn = true;
    if (this.#closed) return;
    this.#warming ??= this.#openSamples().finally(() => {
      this.#warming = null;
    });
    await this.#warming;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#servers.map((server) => server.close()));
    this.#problems.close();
  }

  /** A server loads a project when a file of it is opened. One whose projects are loaded needs none. */
  async #openSamples(): Promise<void> {
    await this.#options.files.ready;
    const cold = this.#servers.filter(({ running }) => running === null);
    const samples = await findSamples(
      cold.map(({ spec }) => spec),
      this.#options.files.paths(),
    );
    for (const path of samples) await this.#texts.follow(fileUri(path));
  }

  async #settle(uri: Uri | undefined, late: AbortSignal): Promise<void> {
    if (uri === undefined) await this.#texts.reread();
    else if (this.#isInside(uri)) await this.#texts.follow(uri);
    const language = uri === undefined ? null : this.#texts.get(uri)?.languageId;
    const concerned = language === null ? this.#servers : this.#of(language ?? "");
    await Promise.all(concerned.map((server) => server.settled(late, uri)));
  }

  async #noticeDisk(paths: readonly string[], changes: readonly WatchedChange[]): Promise<void> {
    const below = (path: string) => paths.some((changed) => isWithin(path, changed));
    await this.#texts.noticeDisk(below);
    for (const server of this.#servers) server.watched(changes);
    if (!this.#turn) return;
    const { files } = this.#options;
    const written = changes.filter(({ path, kind }) => kind !== "delete" && !files.isIgnored(path));
    for (const { path } of written.slice(-MOST_WRITTEN)) {
      if (this.#of(languageId(basename(path))).length > 0) await this.#texts.follow(fileUri(path));
    }
  }

  async #restart(id: string): Promise<void> {
    const server = this.#servers.find(({ spec }) => spec.id === id);
    if (!server) throw new WorkbenchError("There is no such language server.");
    await server.restart();
  }

  #each({ languageId }: FollowedText, task: (server: LanguageServer) => void): void {
    for (const server of this.#of(languageId)) task(server);
  }

  #of(languageId: string): readonly LanguageServer[] {
    return this.#servers.filter(({ spec }) => spec.languageIds.includes(languageId));
  }

  #isInside(uri: Uri): boolean {
    const path = filePath(uri);
    return path !== null && this.#surroundings.folders.some((folder) => isWithin(path, folder));
  }

  async #find({ name, program }: ServerSpec): Promise<Found> {
    if (program.kind === "bundled") return { kind: "command", command: await program.command() };
    if (program.kind === "given") return { kind: "refused", why: "" };
    const folders = await this.#programFolders();
    const path = await findProgram(program.name, folders, this.#surroundings.folders);
    if (path !== null) return { kind: "command", command: { program: path, args: program.args } };
    const why = `${name} is not on this machine. To install it: ${program.install}`;
    return { kind: "missing", why };
  }

  #programFolders(): Promise<readonly string[]> {
    return programFolders(this.#options.env, this.#surroundings.folders);
  }
}

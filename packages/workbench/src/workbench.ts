import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { type Abilities, type Agent, type Change, Changes, type Editor } from "@lockstep/editor";
import { fileUri, parseUri, type Uri } from "@lockstep/protocol";
import type { WebSocket } from "ws";
import { agentAbilities, type Parts } from "./agent-abilities.js";
import { type AgentServer, Agents } from "./agents/agents.js";
import type { Rival } from "./contract/agents.js";
import type { Settings } from "./contract/settings.js";
import { Documents } from "./documents/documents.js";
import type { Picture } from "./documents/pictures.js";
import { Files } from "./files/files.js";
import { AgentRuns } from "./kernels/agent-runs.js";
import { Kernels } from "./kernels/kernels.js";
import { OpenNotebooks } from "./kernels/open-notebooks.js";
import { Languages } from "./languages/languages.js";
import { Notebooks } from "./notebooks/notebooks.js";
import { AgentConsents } from "./permissions/agent-consents.js";
import { Permissions } from "./permissions/permissions.js";
import { Reviews } from "./reviews/reviews.js";
import { SettingsStore, userSettingsFile } from "./settings/settings.js";
import { initialState } from "./state/initial-state.js";
import { Store } from "./state/store.js";
import type { Surroundings } from "./surroundings.js";
import { Terminals } from "./terminals/terminals.js";
import { SharedTexts } from "./texts/shared-texts.js";
import { Turns } from "./turns/turns.js";
import { Bodies } from "./windows/bodies.js";
import { rangeIn } from "./windows/marked-range.js";
import type { AllHandlers } from "./windows/router.js";
import { Watchfulness } from "./windows/watchfulness.js";
import { Windows } from "./windows/windows.js";

export interface WorkbenchOptions {
  readonly folder: string;
  /** A folder of this workspace's own that only this user can read. */
  readonly stateDir: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Told of faults that nobody can do anything about now. */
  readonly report?: (problem: unknown) => void;
}

/** Who asks where no agent does. */
const ITSELF: Agent = { id: "lockstep", name: "Lockstep" };

/** What the workbench uses of a running server of agents. */
export interface ServingAgents extends AgentServer {
  environment(): Record<string, string>;
  whyWithheld(uri: Uri): Promise<string | null>;
  keepBack(files: { deny: readonly string[]; shareGitIgnored: boolean }): void;
}

/**
 * A complete editor without a screen. Its windows are pages that come through the door; agents see it
 * by the Editor port.
 */
export class Workbench implements Editor {
  readonly name = "Lockstep";
  readonly folders: readonly Uri[];
  abilities: Abilities;
  readonly bodies = new Bodies();
  readonly store: Store;
  readonly #parts: Parts;
  readonly #handlers: AllHandlers;
  readonly #changes: Changes;
  readonly #report: (problem: unknown) => void;
  #server: ServingAgents | null = null;

  static async open(options: WorkbenchOptions): Promise<Workbench> {
    const folder = await realpath(options.folder);
    const report = options.report ?? ((problem) => process.emitWarning(String(problem)));
    const store = new Store(initialState(folder));
    const windows = await Windows.open(store, options.stateDir, report);
    const surroundings: Surroundings = {
      store,
      folders: [folder],
      stateDir: options.stateDir,
      report,
      broadcast: (name, event) => windows.broadcast(name, event),
    };
    const changes = new Changes();
    const texts = new SharedTexts();
    const settings = await SettingsStore.open(surroundings, {
      userFile: userSettingsFile(options.env ?? process.env),
      projectFile: join(folder, "lockstep.json"),
    });
    const documents = await Documents.open(surroundings, texts, () => settings.now);
    const files = await Files.open(surroundings, documents);
    let environment = () => ({});
    const terminals = new Terminals(surroundings, {
      environment: () => environment(),
      settings: () => settings.now,
    });
    const agents = await Agents.open(surroundings, {
      mention: (mention) => changes.tell(mention),
      terminalOf: (pid) => terminals.terminalOf(pid),
    });
    const deliver = (agent: Agent, reason: string) =>
      agents.deliverReason(agent, reason, (terminal, text) => terminals.type(terminal, text));
    const reviews = await Reviews.open(surroundings, texts, documents, deliver);
    const permissions = await Permissions.open(surroundings);
    const kernels = new Kernels({
      folders: [folder],
      env: options.env ?? process.env,
      permissions,
      report,
      ask: (question, signal) => agents.confirm(question, { agent: ITSELF, signal }),
    });
    const consents = new AgentConsents(permissions, (question, call) =>
      agents.confirm(question, call),
    );
    const openNotebooks = new OpenNotebooks({
      open: () => documents.list().map(({ uri }) => uri),
      active: () => windows.active,
      onClose: (uri) => void kernels.close(uri).catch(report),
    });
    openNotebooks.look();
    const agentRuns = new AgentRuns({
      kernels,
      consents,
      notebooks: () => openNotebooks.list,
      patienceMs: () => settings.now.agentCodeTimeout * 1_000,
    });
    const notebooks = new Notebooks(surroundings, { texts, documents, kernels, agentRuns });
    const languages = new Languages(surroundings, {
      documents,
      files,
      settings,
      permissions,
      ask: (question, signal) => agents.confirm(question, { agent: ITSELF, signal }),
      env: options.env ?? process.env,
      tell: (uris) => changes.tell({ kind: "diagnostics", uris }),
    });
    const turns = await Turns.open(surroundings, texts, documents, { after: files.ready });
    const parts = {
      windows,
      texts,
      settings,
      documents,
      files,
      terminals,
      agents,
      reviews,
      permissions,
      consents,
      openNotebooks,
      kernels,
      agentRuns,
      languages,
      notebooks,
      turns,
    };
    const workbench = new Workbench(folder, store, changes, parts, report);
    environment = () => workbench.#server?.environment() ?? {};
    return workbench;
  }

  private constructor(
    folder: string,
    store: Store,
    changes: Changes,
    parts: Parts,
    report: (problem: unknown) => void,
  ) {
    this.folders = [fileUri(folder)];
    this.store = store;
    this.#changes = changes;
    this.#parts = parts;
    this.#report = report;
    const { windows, texts, settings, documents, files, terminals, agents, reviews } = parts;
    const { permissions, consents, openNotebooks, languages, notebooks, turns } = parts;
    this.#handlers = {
      ...windows.handlers,
      ...texts.handlers,
      ...settings.handlers,
      ...documents.handlers,
      ...files.handlers,
      ...terminals.handlers,
      ...agents.handlers,
      ...reviews.handlers,
      ...permissions.handlers,
      ...languages.handlers,
      ...notebooks.handlers,
      ...turns.handlers,
      "notice.dismiss": ({ id }) => store.remove("notices", id),
    };
    this.abilities = agentAbilities(parts, store);
    const watchfulness = new Watchfulness({
      active: () => windows.active,
      selected: (uri) => {
        const marked = windows.marked(uri);
        const cell = notebooks.place(uri, marked.cell);
        const text = cell?.text ?? documents.get(uri)?.shared.text;
        if (!text) return null;
        return { range: rangeIn(text, marked).range, ...(cell ? { cell: cell.index } : {}) };
      },
      labelOf: (uri) => documents.get(uri)?.info.label ?? null,
      whyWithheld: async (uri) => (await this.#server?.whyWithheld(uri)) ?? null,
      sees: (sight) => agents.sees(sight),
    });
    openNotebooks.onSomeOrNone = () => this.#renewAbilities();
    consents.onRevoke(() => changes.tell({ kind: "consents" }));
    windows.subscribe(() => {
      openNotebooks.look();
      changes.tell({ kind: "selection" });
      watchfulness.look();
    });
    documents.subscribe((change) => {
      turns.noticeDocuments(change);
      if (change.kind === "tabs") {
        openNotebooks.look();
        changes.tell({ kind: "tabs" });
        reviews.noticeDocuments();
        changes.tell({ kind: "selection" });
        watchfulness.look();
      } else if (change.uri === windows.active) {
        changes.tell({ kind: "selection" });
      }
    });
    documents.onMerge = (merge) => reviews.openMerge(merge);
    files.onDisk((paths) => {
      reviews.noticeDisk(paths).catch(report);
      settings.noticeDisk(paths).catch(report);
      turns.noticeDisk(paths);
    });
    settings.onChange((now) => this.#server?.keepBack(privacyIn(now)));
  }

  /** For `serve`: what is kept back from agents, by the settings and the switch. */
  get privacy() {
    return { ...privacyIn(this.#parts.settings.now), sharing: this.#parts.agents.sharing };
  }

  /** For `serve`: sees every message of every agent. */
  trace(event: Parameters<Agents["trace"]>[0]): void {
    this.#parts.agents.trace(event);
  }

  /** The server of agents runs: terminals get its address, and the page its state. */
  attach(server: ServingAgents): void {
    this.#server = server;
    this.#parts.agents.attach(server);
    server.keepBack(privacyIn(this.#parts.settings.now));
  }

  /** Other editors whose lock files match this folder. */
  setRivals(rivals: readonly Rival[]): void {
    this.store.set("rivals", rivals);
  }

  /** Says something to the person, in every window, until it is dismissed or said otherwise. */
  say(id: string, text: string): void {
    this.store.put("notices", id, { id, severity: "information", text });
  }

  /** Resolves when a page is open. */
  async windowOpened(signal: AbortSignal): Promise<void> {
    await this.#parts.windows.opened(signal);
  }

  /** A picture that a window shows in place of a document; null for anything else. */
  async picture(name: string): Promise<Picture | null> {
    const uri = parseUri(name);
    return uri ? this.#parts.documents.picture(uri) : null;
  }

  /** A page has come through the door. */
  join(socket: WebSocket): void {
    this.#parts.windows.join(socket, this.#handlers, this.bodies);
  }

  subscribe(listener: (change: Change) => void): Disposable {
    return this.#changes.subscribe(listener);
  }

  /** What agents are offered depends on what is open. */
  #renewAbilities(): void {
    this.abilities = agentAbilities(this.#parts, this.store);
    this.#changes.tell({ kind: "abilities" });
  }

  /** Unsaved work stays in the journal, and is there again the next time. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { windows, kernels, terminals, languages, files, reviews, documents, settings } =
      this.#parts;
    const { notebooks, turns } = this.#parts;
    for (const part of [
      notebooks,
      kernels,
      terminals,
      languages,
      files,
      reviews,
      turns,
      documents,
      settings,
    ]) {
      // One that cannot end must not keep the others from keeping what they have.
      await part[Symbol.asyncDispose]().catch(this.#report);
    }
    await windows.flush();
  }
}

function privacyIn({ privateFiles, shareGitIgnored }: Required<Settings>) {
  return { deny: privateFiles, shareGitIgnored };
}

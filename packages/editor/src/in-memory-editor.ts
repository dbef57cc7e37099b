import { baseName, filePath, fileUri, type Uri } from "@lockstep/protocol";
import { Changes } from "./changes.js";
import { languageId } from "./language-id.js";
import type {
  Abilities,
  AgentEvent,
  Change,
  Diagnostic,
  Editor,
  FileDiagnostics,
  Mention,
  OpenRequest,
  Outcome,
  Output,
  Proposal,
  Question,
  Range,
  Review,
  Selection,
  Tab,
  Withdrawal,
} from "./port.js";
import { countLines, START, textIn } from "./text.js";

export interface InMemoryEditorOptions {
  readonly name?: string;
  /** Absolute paths, the main one first. */
  readonly folders?: readonly string[];
  /** Where a file's text comes from when an agent opens it; null for no such file. */
  readonly load?: (uri: Uri) => Promise<string | null>;
  /** Where a saved document goes; without it nothing can be saved. Fails with the reason. */
  readonly store?: Store;
  /** How a text is formatted; without it nothing can be formatted. */
  readonly formatter?: Formatter;
  /** What runs the notebooks' code; without it there is no such ability. */
  readonly kernel?: (code: string) => Promise<readonly Output[]>;
  /** The person's answer to a question; without it every question is answered no. */
  readonly answer?: (question: Question) => Promise<boolean>;
}

type Store = (uri: Uri, text: string) => Promise<void>;
type Formatter = (text: string, uri: Uri) => Promise<string>;

/** What a person in front of the editor sees happen. */
export type Sight =
  | { readonly kind: "shown"; readonly proposal: Proposal }
  | { readonly kind: "withdrawn"; readonly proposal: Proposal; readonly why: Withdrawal }
  | { readonly kind: "agent"; readonly event: AgentEvent };

interface Document {
  text: string;
  dirty: boolean;
  preview: boolean;
  range: Range;
}

interface Pending {
  readonly proposal: Proposal;
  draft: string;
  readonly settle: (outcome: Outcome) => void;
}

/**
 * A complete editor without a screen: tests and headless servers use it, and authors of editors
 * read it as the reference. The methods of the class are what a person does; `abilities` is what
 * agents see of it.
 */
export class InMemoryEditor implements Editor {
  readonly name: string;
  readonly abilities: Abilities;
  #folders: readonly Uri[];
  readonly #options: InMemoryEditorOptions;
  readonly #changes = new Changes();
  readonly #watchers = new Set<(sight: Sight) => void>();
  /** In the order of their tabs. */
  readonly #documents = new Map<Uri, Document>();
  readonly #diagnostics = new Map<Uri, readonly Diagnostic[]>();
  readonly #pending = new Map<string, Pending>();
  #active: Uri | null = null;

  constructor(options: InMemoryEditorOptions = {}) {
    const { store, formatter, kernel } = options;
    this.#options = options;
    this.name = options.name ?? "Lockstep";
    this.#folders = (options.folders ?? []).map(fileUri);
    this.abilities = {
      selection: () => this.#selection(),
      tabs: () => this.#tabs(),
      text: async ({ uri }) => {
        const document = await this.#current(uri);
        return document ? { text: document.text, dirty: document.dirty } : null;
      },
      open: (request) => this.#openFor(request),
      close: async ({ uri }) => this.#closeFor(uri),
      save: store && (({ uri }) => this.#save(uri, store)),
      format: store && formatter && (({ uri }) => this.#format(uri, formatter, store)),
      execute: kernel && (({ code }) => kernel(code)),
      diagnostics: async ({ uri }) => this.#diagnosticsOf(uri),
      confirm: async (question) => (await options.answer?.(question)) ?? false,
      review: (proposal) => this.#review(proposal),
      activity: (event) => this.#see({ kind: "agent", event }),
    };
  }

  get folders(): readonly Uri[] {
    return this.#folders;
  }

  set folders(folders: readonly Uri[]) {
    this.#folders = folders;
    this.#changes.tell({ kind: "folders" });
  }

  subscribe(listener: (change: Change) => void): Disposable {
    return this.#changes.subscribe(listener);
  }

  /** Tells what a person would see: proposals come and go, agents connect and leave. */
  watch(watcher: (sight: Sight) => void): Disposable {
    this.#watchers.add(watcher);
    return { [Symbol.dispose]: () => void this.#watchers.delete(watcher) };
  }

  get proposals(): readonly Proposal[] {
    return [...this.#pending.values()].map(({ proposal }) => proposal);
  }

  /** Opens a document with this text, or makes it the active one. */
  open(uri: Uri, text: string): void {
    if (!this.#documents.has(uri)) {
      this.#documents.set(uri, { text, dirty: false, preview: false, range: START });
      this.#changes.tell({ kind: "tabs" });
    }
    this.#activate(uri);
  }

  /** Replaces the text of an open document, which makes it dirty. */
  type(uri: Uri, text: string): void {
    const document = this.#opened(uri);
    document.text = text;
    document.dirty = true;
    document.range = START;
    this.#changes.tell({ kind: "tabs" });
    this.#activate(uri);
  }

  select(uri: Uri, range: Range): void {
    this.#opened(uri).range = range;
    this.#activate(uri);
  }

  mention(uri: Uri, lines?: Mention["lines"]): void {
    this.#changes.tell({ kind: "mention", uri, lines });
  }

  /** Takes back what was allowed to last: agents are asked about again. */
  takeBack(): void {
    this.#changes.tell({ kind: "consents" });
  }

  /** Replaces the problems of a file. */
  report(uri: Uri, items: readonly Diagnostic[]): void {
    this.#diagnostics.set(uri, items);
    this.#changes.tell({ kind: "diagnostics", uris: [uri] });
  }

  /** Edits the proposed text; nothing is decided yet. */
  draft(proposalId: string, text: string): void {
    this.#waiting(proposalId).draft = text;
  }

  accept(proposalId: string): void {
    const { settle, draft } = this.#waiting(proposalId);
    this.#pending.delete(proposalId);
    settle({ kind: "accepted", text: draft });
  }

  /** Says no; closing the proposal's tab is the same. */
  reject(proposalId: string, reason?: string): void {
    const { settle } = this.#waiting(proposalId);
    this.#pending.delete(proposalId);
    settle({ kind: "rejected", reason });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watchers.clear();
  }

  async #selection(): Promise<Selection | null> {
    const uri = this.#active;
    const document = uri && (await this.#current(uri));
    if (!document) return null;
    return { uri, range: document.range, text: textIn(document.text, document.range) };
  }

  async #tabs(): Promise<readonly Tab[]> {
    const uris = [...this.#documents.keys()];
    const tabs = uris.map(async (uri): Promise<Tab | null> => {
      const document = await this.#current(uri);
      if (!document) return null;
      const { text, dirty, preview, range } = document;
      const label = baseName(filePath(uri) ?? uri);
      const active = uri === this.#active;
      const selection = active ? { selection: { ...range, reversed: false } } : {};
      const lines = { languageId: languageId(label), lineCount: countLines(text) };
      return { uri, label, ...lines, active, dirty, preview, ...selection };
    });
    return (await Promise.all(tabs)).filter((tab) => tab !== null);
  }

  async #openFor({ uri, range, focus, preview }: OpenRequest): Promise<void> {
    if (!(await this.#current(uri))) {
      const text = (await this.#options.load?.(uri)) ?? null;
      // The person may have opened it while the file was read, and typed: theirs stays as it is.
      if (!this.#documents.has(uri)) {
        if (text === null) throw new Error(`There is no file ${filePath(uri) ?? uri}`);
        this.#documents.set(uri, { text, dirty: false, preview, range: START });
        this.#changes.tell({ kind: "tabs" });
      }
    }
    if (range) this.#opened(uri).range = range;
    if (focus || uri === this.#active) this.#activate(uri);
  }

  async #save(uri: Uri, store: Store): Promise<void> {
    const document = this.#opened(uri);
    if (!document.dirty) return;
    const { text } = document;
    await store(uri, text);
    // What the person typed in the meantime is not in the file yet.
    if (document.text === text) document.dirty = false;
    this.#changes.tell({ kind: "tabs" });
  }

  /** An open document is edited, and saved only if it was clean; a closed file is rewritten. */
  async #format(uri: Uri, formatter: Formatter, store: Store): Promise<void> {
    const text = (await this.#current(uri))?.text ?? (await this.#options.load?.(uri)) ?? null;
    const path = filePath(uri) ?? uri;
    if (text === null) throw new Error(`There is no file ${path}`);
    const formatted = await formatter(text, uri);
    const open = this.#documents.get(uri);
    if (!open) return store(uri, formatted);
    // The formatter saw an older text: its answer would undo what the person typed since.
    if (open.text !== text) throw new Error(`${path} was edited meanwhile: format it again`);
    const saved = !open.dirty;
    open.text = formatted;
    open.dirty = true;
    this.#changes.tell({ kind: "tabs" });
    if (saved) await this.#save(uri, store);
  }

  #closeFor(uri: Uri): "closed" | "kept" | "absent" {
    const document = this.#documents.get(uri);
    if (!document) return "absent";
    if (document.dirty) return "kept";
    this.#forget(uri);
    return "closed";
  }

  #diagnosticsOf(uri: Uri | undefined): readonly FileDiagnostics[] {
    if (uri !== undefined) return [{ uri, items: this.#diagnostics.get(uri) ?? [] }];
    return [...this.#diagnostics]
      .filter(([, items]) => items.length > 0)
      .map(([file, items]) => ({ uri: file, items }));
  }

  #review(proposal: Proposal): Review {
    const outcome = new Promise<Outcome>((settle) => {
      this.#pending.set(proposal.id, { proposal, draft: proposal.text, settle });
    });
    const pending = this.#waiting(proposal.id);
    this.#see({ kind: "shown", proposal });
    return {
      outcome,
      withdraw: async (why) => {
        if (this.#pending.delete(proposal.id)) this.#see({ kind: "withdrawn", proposal, why });
        return pending.draft;
      },
    };
  }

  /** A clean document follows its file, as it does in every editor; a file that is gone closes it. */
  async #current(uri: Uri): Promise<Document | null> {
    const document = this.#documents.get(uri);
    const { load } = this.#options;
    if (!document || document.dirty || !load) return document ?? null;
    const text = await load(uri);
    // What the person did while the file was read counts for more than the file.
    const untouched = !document.dirty && this.#documents.get(uri) === document;
    if (untouched && text === null) this.#forget(uri);
    else if (untouched && text !== null) document.text = text;
    return this.#documents.get(uri) ?? null;
  }

  #forget(uri: Uri): void {
    if (!this.#documents.delete(uri)) return;
    this.#changes.tell({ kind: "tabs" });
    if (this.#active !== uri) return;
    this.#active = [...this.#documents.keys()].at(-1) ?? null;
    this.#changes.tell({ kind: "selection" });
  }

  #activate(uri: Uri): void {
    if (this.#active !== uri) this.#changes.tell({ kind: "tabs" });
    this.#active = uri;
    this.#changes.tell({ kind: "selection" });
  }

  #opened(uri: Uri): Document {
    const document = this.#documents.get(uri);
    if (!document) throw new Error(`${uri} is not open`);
    return document;
  }

  #waiting(proposalId: string): Pending {
    const pending = this.#pending.get(proposalId);
    if (!pending) throw new Error(`No proposal ${proposalId} is waiting`);
    return pending;
  }

  #see(sight: Sight): void {
    for (const watcher of [...this.#watchers]) watcher(sight);
  }
}

import type { Text } from "@codemirror/state";
import { baseName, filePath, type Uri } from "@lockstep/protocol";
import type {
  NotebookChange,
  NotebookInfo,
  NotebookSnapshot,
  notebookCalls,
} from "../contract/notebooks.js";
import type { Documents, OpenDocument } from "../documents/documents.js";
import { WorkbenchError } from "../errors.js";
import type { AgentRuns } from "../kernels/agent-runs.js";
import { installCommand } from "../kernels/kernel-specs.js";
import type { Kernels } from "../kernels/kernels.js";
import { isNotebook } from "../kernels/open-notebooks.js";
import type { Surroundings } from "../surroundings.js";
import type { SharedTexts } from "../texts/shared-texts.js";
import type { Handlers } from "../windows/router.js";
import type { Window } from "../windows/window.js";
import { OpenNotebook } from "./open-notebook.js";
import { Runs } from "./runs.js";

/** A notebook with its runs and those who look at it. */
interface Entry {
  readonly notebook: OpenNotebook;
  readonly windows: Set<Window>;
  readonly runs: Runs;
  /** Of the kernel's news. */
  readonly subscription: Disposable;
  revision: number;
}

/** What it works with. Kernels end elsewhere: when their documents are closed. */
interface Others {
  readonly texts: SharedTexts;
  readonly documents: Documents;
  readonly kernels: Kernels;
  readonly agentRuns: AgentRuns;
}

/** Which cell somebody is in. */
export interface CellPlace {
  /** Counted from 0. */
  readonly index: number;
  /** As the file has it; null where it has none. */
  readonly id: string | null;
  readonly text: Text;
}

/** The documents that are notebooks, as cells that can be run. */
export class Notebooks {
  readonly #surroundings: Surroundings;
  readonly #texts: SharedTexts;
  readonly #documents: Documents;
  readonly #kernels: Kernels;
  readonly #entries = new Map<OpenDocument, Entry>();
  /** Windows that are let go of when they close. */
  readonly #known = new WeakSet<Window>();

  readonly handlers: Handlers<typeof notebookCalls> = {
    "notebook.attach": ({ uri, keys }, window) => this.#attach(uri, keys, window),
    "notebook.detach": ({ uri }, window) => void this.#find(uri)?.windows.delete(window),
    "notebook.cellAt": ({ uri, ...place }) => this.#need(uri).notebook.cellAt(place),
    "notebook.create": ({ uri }) => this.#need(uri).notebook.create(),
    "notebook.insert": ({ uri, at, kind, source }) => ({
      key: this.#need(uri).notebook.insert(at, kind, source),
    }),
    "notebook.remove": ({ uri, keys }) => this.#need(uri).notebook.remove(keys),
    "notebook.copy": ({ uri, keys }) => this.#need(uri).notebook.copy(keys),
    "notebook.paste": ({ uri, at, cells }) => this.#need(uri).notebook.paste(at, cells),
    "notebook.move": ({ uri, key, to }) => this.#need(uri).notebook.move(key, to),
    "notebook.setKind": ({ uri, key, kind }) => this.#need(uri).notebook.setKind(key, kind),
    "notebook.split": ({ uri, key, at }) => ({ key: this.#need(uri).notebook.split(key, at) }),
    "notebook.merge": ({ uri, key }) => this.#need(uri).notebook.merge(key),
    "notebook.clearOutputs": ({ uri, keys }) => {
      const { notebook, runs } = this.#need(uri);
      runs.forget(keys ?? notebook.keys);
      notebook.clearOutputs(keys);
    },
    "notebook.undo": ({ uri }) => this.#need(uri).notebook.undo(),
    "notebook.redo": ({ uri }) => this.#need(uri).notebook.redo(),
    "notebook.run": ({ uri, keys }) => this.#need(uri).runs.run(keys),
    "notebook.interrupt": ({ uri }) => this.#kernel(uri).interrupt(),
    "notebook.restart": ({ uri }) => this.#kernel(uri).restart(),
    "notebook.kernels": async ({ uri }) => {
      this.#need(uri);
      return { choices: await this.#kernels.choices(), install: await installCommand() };
    },
    "notebook.chooseKernel": async ({ uri, kernel }) => {
      const session = this.#kernel(uri);
      session.choose(kernel);
      await session.restart();
    },
  };

  constructor(surroundings: Surroundings, { texts, documents, kernels, agentRuns }: Others) {
    this.#surroundings = surroundings;
    this.#texts = texts;
    this.#documents = documents;
    this.#kernels = kernels;
    documents.subscribe((change) => {
      if (change.kind === "tabs") return this.#sync();
      const document = documents.get(change.uri);
      const entry = document && this.#entries.get(document);
      entry?.notebook.changed(change.change);
    });
    agentRuns.subscribe((uri, run) => this.#find(uri)?.runs.heard(run));
    this.#sync();
  }

  /** Null for a document that is not a notebook, or cannot be shown as one. */
  get(uri: Uri): OpenNotebook | null {
    const notebook = this.#find(uri)?.notebook;
    return notebook && notebook.problem === null ? notebook : null;
  }

  /** Where a cell is; null if there is no such cell. */
  place(uri: Uri, key: string | null): CellPlace | null {
    const found = key === null ? null : this.get(uri)?.find(key);
    if (!found) return null;
    const { index, cell } = found;
    return { index, id: cell.layout.id, text: cell.shared.text };
  }

  /** Lets go of all of them; their documents and kernels end by themselves. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { notebook, subscription } of this.#entries.values()) {
      subscription[Symbol.dispose]();
      notebook.close();
    }
    this.#entries.clear();
  }

  #find(uri: Uri): Entry | null {
    const document = this.#documents.get(uri);
    return (document && this.#entries.get(document)) ?? null;
  }

  #need(uri: Uri): Entry {
    const entry = this.#find(uri);
    const name = baseName(filePath(uri) ?? uri);
    if (!entry) throw new WorkbenchError(`${name} is not an open notebook.`);
    return entry;
  }

  #kernel(uri: Uri) {
    this.#need(uri);
    return this.#kernels.of(uri);
  }

  /** Every open document that is called a notebook has an entry, and nothing else has. */
  #sync(): void {
    const documents = new Set(this.#documents.list().filter(({ uri }) => isNotebook(uri)));
    for (const [document, entry] of this.#entries) {
      if (!documents.has(document)) this.#close(document, entry);
      else if (entry.notebook.uri !== document.uri) this.#rename(entry);
    }
    for (const document of documents) if (!this.#entries.has(document)) this.#open(document);
  }

  #open(document: OpenDocument): void {
    const session = this.#kernels.of(document.uri);
    // Nobody looks at it before it is there.
    let tell: (changes: readonly NotebookChange[]) => void = () => {};
    const notebook = new OpenNotebook(document, this.#texts, (changes) => tell(changes));
    const entry: Entry = {
      notebook,
      windows: new Set(),
      revision: 0,
      runs: new Runs(notebook, session, (changes) => tell(changes)),
      subscription: session.subscribe(() => this.#tellInfo(entry)),
    };
    this.#entries.set(document, entry);
    tell = (changes) => this.#tell(entry, changes);
    this.#tellInfo(entry);
  }

  #rename(entry: Entry): void {
    const { notebook } = entry;
    const from = notebook.uri;
    this.#kernels.rename(from, notebook.document.uri);
    notebook.renamed();
    this.#surroundings.store.remove("notebooks", from);
    this.#tellInfo(entry);
  }

  #close(document: OpenDocument, { notebook, subscription }: Entry): void {
    subscription[Symbol.dispose]();
    notebook.close();
    this.#entries.delete(document);
    this.#surroundings.store.remove("notebooks", notebook.uri);
  }

  #attach(uri: Uri, keys: readonly string[], window: Window): NotebookSnapshot {
    const entry = this.#need(uri);
    const { notebook, windows, runs } = entry;
    if (notebook.problem !== null) throw new WorkbenchError(notebook.problem);
    notebook.adopt(keys);
    windows.add(window);
    if (!this.#known.has(window)) {
      this.#known.add(window);
      window.onClose(() => {
        for (const each of this.#entries.values()) each.windows.delete(window);
      });
    }
    return { revision: entry.revision, cells: notebook.whole, agentRuns: runs.agentRuns };
  }

  #tell(entry: Entry, changes: readonly NotebookChange[]): void {
    this.#tellInfo(entry);
    if (changes.length === 0) return;
    const event = { uri: entry.notebook.uri, revision: ++entry.revision, changes };
    for (const window of entry.windows) window.send("notebook.changed", event);
  }

  #tellInfo({ notebook }: Entry): void {
    const { uri, problem, isEmpty, outline } = notebook;
    const session = this.#kernels.of(uri);
    const { language, kernel } = outline;
    session.prefer({ language, name: kernel?.name });
    const told: NotebookInfo = {
      uri,
      problem,
      empty: isEmpty,
      language,
      kernelName: kernel?.displayName ?? null,
      kernel: session.info,
    };
    this.#surroundings.store.put("notebooks", uri, told);
  }
}

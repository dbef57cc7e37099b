import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { filePath, fileUri, type Uri } from "@lockstep/protocol";
import type { fileCalls } from "../contract/files.js";
import { Rescues } from "../documents/rescue.js";
import type { Surroundings } from "../surroundings.js";
import type { Handlers } from "../windows/router.js";
import { type DiskChange, DiskWatch } from "./disk-watch.js";
import { Fence } from "./fence.js";
import { FileIndex } from "./file-index.js";
import { GitStates } from "./git-states.js";
import { listFolder } from "./listing.js";
import type { OpenDocuments } from "./open-documents.js";
import { Operations, type UndoStep } from "./operations.js";
import {
  type Find,
  type ReplaceSurroundings,
  type Rewritten,
  replaceInFile,
  replaceInFiles,
  undoStep,
} from "./replacing.js";
import { Searches } from "./searches.js";
import { Trash } from "./trash.js";

/** Folders that windows have listed, to be listed again when nobody watches. */
const MOST_LISTED = 2_000;

/** Between two looks at what the trash may forget. */
const PRUNE_MS = 6 * 60 * 60 * 1_000;

const UNWATCHED_NOTICE = "files.unwatched";

/** Absolute paths; a folder stands for all in it. `changes` says what happened, where that is known. */
export type DiskListener = (paths: readonly string[], changes: readonly DiskChange[]) => void;

/** The files of the workspace: the tree with git's state, opening by name, search, and changes. */
export class Files {
  readonly handlers: Handlers<typeof fileCalls>;
  /** When it watches, and git and the list of files have answered for the first time. */
  readonly ready: Promise<void>;
  /** Makes, moves and deletes files, so that it can be taken back. */
  readonly operations: Pick<Operations, "create" | "rename" | "delete" | "undo">;
  readonly #surroundings: Surroundings;
  readonly #replacing: ReplaceSurroundings;
  readonly #documents: OpenDocuments;
  readonly #fence: Fence;
  readonly #git: GitStates;
  readonly #index: FileIndex;
  readonly #watch: DiskWatch;
  readonly #searches: Searches;
  readonly #listeners = new Set<DiskListener>();
  readonly #listed = new Set<string>();
  readonly #pruning: NodeJS.Timeout;
  #unwatched = false;
  #closed = false;

  private constructor(surroundings: Surroundings, documents: OpenDocuments, rescues: Rescues) {
    const { folders, store, stateDir, report } = surroundings;
    this.#surroundings = surroundings;
    this.#documents = documents;
    const fence = new Fence(folders);
    this.#fence = fence;
    this.#git = new GitStates(folders, (changed) => this.#gitChanged(changed), report);
    const isIgnored = (path: string) => this.#git.isIgnored(path);
    this.#index = new FileIndex(folders, isIgnored, report);
    this.#searches = new Searches({ folders, fence, store, documents, isIgnored });
    this.#watch = new DiskWatch({
      changed: (changes) => void this.#changed(changes).catch(report),
      gitMoved: () => this.#git.touch(),
      missed: () => void this.#lookAtAll().catch(report),
      failed: (_folder, text) => {
        this.#unwatched = true;
        const id = UNWATCHED_NOTICE;
        store.put("notices", id, { id, severity: "warning", text });
      },
    });
    const trash = new Trash(join(stateDir, "trash"));
    const operations = new Operations(fence, trash, documents, {
      undoable: (label) => store.set("fileUndo", label),
      changed: (changes) => this.#changed(changes),
    });
    const prune = () => void operations.pruneTrash().catch(report);
    prune();
    this.#pruning = setInterval(prune, PRUNE_MS).unref();
    const cwd = folders[0] ?? stateDir;
    const replacing = { cwd, fence, store, documents, operations, trash, rescues };
    this.operations = operations;
    this.#replacing = replacing;
    this.handlers = {
      "files.list": async ({ uri }) => {
        const folder = await fence.reach(uri);
        this.#listed.add(folder);
        if (this.#listed.size > MOST_LISTED) this.#listed.clear();
        return listFolder(folder, this.#git);
      },
      "files.find": ({ query, limit }) => this.#index.find(query, limit, this.#openPaths()),
      "files.create": ({ uri, kind }) => operations.create(uri, kind),
      "files.rename": ({ from, to }) => operations.rename(from, to),
      "files.delete": ({ uris }) => operations.delete(uris),
      "files.undo": () => operations.undo(),
      "files.lookAgain": () => this.#lookAgain(),
      "search.run": ({ id, query }, window) => this.#searches.run(id, query, window),
      "search.stop": ({ id }, window) => this.#searches.stop(id, window),
      "search.replace": (order) => replaceInFiles(order, replacing),
    };
    this.ready = this.#start().catch(report);
  }

  /** Watching, git and the list of files begin at once and are not waited for: see {@link ready}. */
  static async open(surroundings: Surroundings, documents: OpenDocuments): Promise<Files> {
    const rescues = new Rescues(join(surroundings.stateDir, "replacing"));
    await mkdir(rescues.folder, { recursive: true, mode: 0o700 });
    await rescues.recover(surroundings.report);
    return new Files(surroundings, documents, rescues);
  }

  /** Hears what changed on disk, gathered for about 50 ms. */
  onDisk(listener: DiskListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Where a file really is. Fails with a sentence if that is outside of the workspace. */
  reach(uri: Uri): Promise<string> {
    return this.#fence.reach(uri);
  }

  /**
   * Changes files that are not open, each whole, and all of it can be taken back as one step, called
   * "`verb` a.ts" or "`verb` 3 files". Answers how many changes that were, and the step, if there is
   * something to take back. One that cannot be written ends it, with a sentence.
   */
  async rewrite(
    verb: string,
    files: ReadonlyMap<Uri, Find>,
  ): Promise<{ readonly changes: number; readonly step: UndoStep | null }> {
    const rewritten: Rewritten[] = [];
    let changes = 0;
    let step: UndoStep | null = null;
    try {
      for (const [uri, find] of files) {
        const path = await this.#fence.reach(uri);
        changes += await replaceInFile(path, find, this.#replacing, rewritten);
      }
    } finally {
      if (rewritten.length > 0) {
        step = undoStep(verb, rewritten, this.#replacing);
        this.#replacing.operations.remember(step);
      }
    }
    return { changes, step };
  }

  /** Whether git leaves it out. */
  isIgnored(path: string): boolean {
    return this.#git.isIgnored(path);
  }

  /** All files that git does not ignore, as absolute paths. */
  paths(): Iterable<string> {
    return this.#index.paths();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearInterval(this.#pruning);
    this.#searches.close();
    this.#listeners.clear();
    // First: what they wait for may never come.
    await Promise.all([this.#git.close(), this.#index.close()]);
    await this.ready;
    await this.#watch.close();
  }

  async #start(): Promise<void> {
    const { folders } = this.#surroundings;
    const watching = Promise.all(folders.map((folder) => this.#watch.watch(folder)));
    await Promise.all([this.#git.refresh(), this.#index.build(), watching]);
    if (this.#closed) return;
    await Promise.all(this.#git.gitDirs.map((gitDir) => this.#watch.watchGit(gitDir)));
    // What happened before the watcher was there.
    await Promise.all([this.#git.refresh(), this.#index.build()]);
  }

  async #changed(changes: readonly DiskChange[]): Promise<void> {
    if (this.#closed) return;
    const lists = changes.filter(({ kind }) => kind !== "update").map(({ path }) => dirname(path));
    this.#tellChanged(lists);
    this.#git.touch();
    const paths = changes.map(({ path }) => path);
    for (const listener of this.#listeners) listener(paths, changes);
    await Promise.all([this.#index.follow(changes), this.#documents.noticeDisk(paths)]);
  }

  #gitChanged(folders: readonly string[]): void {
    const { store } = this.#surroundings;
    store.set("workspace", { ...store.state.workspace, branch: this.#git.branch });
    this.#index.recheck();
    this.#tellChanged(folders);
    for (const gitDir of this.#git.gitDirs) void this.#watch.watchGit(gitDir);
  }

  #tellChanged(paths: readonly string[]): void {
    const folders = [...new Set(paths)]
      .filter((path) => this.#fence.folderOf(path) !== null)
      .map((path) => fileUri(path));
    if (folders.length > 0) this.#surroundings.broadcast("files.changed", { folders });
  }

  async #lookAgain(): Promise<void> {
    if (this.#unwatched) await this.#lookAtAll();
  }

  async #lookAtAll(): Promise<void> {
    for (const listener of this.#listeners) listener(this.#surroundings.folders, []);
    this.#tellChanged([...this.#surroundings.folders, ...this.#listed]);
    await Promise.all([this.#git.refresh(), this.#index.build(), this.#documents.noticeDisk()]);
  }

  #openPaths(): readonly string[] {
    return this.#surroundings.store.state.tabs.flatMap(({ uri }) => filePath(uri) ?? []);
  }
}

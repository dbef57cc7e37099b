import { lstat } from "node:fs/promises";
import { basename, relative, sep } from "node:path";
import { fileUri, type Uri } from "@lockstep/protocol";
import type { FoundFile } from "../contract/files.js";
import type { DiskChange } from "./disk-watch.js";
import { type Candidate, candidate, rank } from "./fuzzy.js";
import { ripgrep } from "./ripgrep.js";

/** So many new files at once are cheaper to list anew. */
const MOST_CREATED = 200;
/** A burst of changes is waited for before the list is made anew. */
const PAUSE_MS = 300;
/** ripgrep waits for ever for a pipe in the place of a .gitignore. */
const LONGEST_MS = 60_000;
/** Of a query's words. */
const LIMIT = 1_000;

interface Folder {
  readonly path: string;
  /** "" where there is one folder; else its name, so that paths tell the folders apart. */
  readonly prefix: string;
  readonly files: Map<string, Candidate>;
  timer: NodeJS.Timeout | null;
  listing: Promise<void> | null;
}

/** All files of the workspace that git does not ignore, for opening by a few letters of their name. */
export class FileIndex {
  readonly #folders: readonly Folder[];
  readonly #isIgnored: (path: string) => boolean;
  readonly #report: (problem: unknown) => void;
  /** Added before git has said whether they are ignored. */
  readonly #unchecked = new Set<string>();
  readonly #stop = new AbortController();

  constructor(
    folders: readonly string[],
    isIgnored: (path: string) => boolean,
    report: (problem: unknown) => void,
  ) {
    this.#folders = folders.map((path, index) => ({
      path,
      prefix: folders.length > 1 ? `${shownName(folders, index)}/` : "",
      files: new Map(),
      timer: null,
      listing: null,
    }));
    this.#isIgnored = isIgnored;
    this.#report = report;
  }

  /** Lists everything anew. */
  async build(): Promise<void> {
    await Promise.all(this.#folders.map((folder) => this.#list(folder)));
  }

  /** The best first; for an empty query the open ones, then the others by name. */
  async find(query: string, limit: number, open: readonly string[]): Promise<readonly FoundFile[]> {
    // Only the first list is waited for: an older one is good enough for a moment.
    const unlisted = this.#folders.filter(({ files, listing }) => files.size === 0 && listing);
    await Promise.all(unlisted.map(({ listing }) => listing));
    const most = Math.min(limit, LIMIT);
    if (query.trim() === "") return this.#unasked(most, open);
    return rank(this.#all(), query, most).map(({ candidate: { path }, matched }) => ({
      uri: this.#uri(path),
      path,
      matched,
    }));
  }

  /** Absolute, of all of them. */
  *paths(): Iterable<string> {
    for (const { path, prefix, files } of this.#folders)
      for (const name of files.keys())
        yield path + sep + name.slice(prefix.length).split("/").join(sep);
  }

  /** Follows what the watcher saw. */
  async follow(changes: readonly DiskChange[]): Promise<void> {
    for (const folder of this.#folders) {
      const mine = changes.filter(({ path }) => path.startsWith(folder.path + sep));
      if (mine.length > 0) await this.#follow(folder, mine);
    }
  }

  /** Git has answered anew: what was added in the meantime and is ignored goes. */
  recheck(): void {
    for (const path of this.#unchecked) {
      if (!this.#isIgnored(path)) continue;
      for (const folder of this.#folders) folder.files.delete(this.#name(folder, path));
    }
    this.#unchecked.clear();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    for (const { timer } of this.#folders) if (timer) clearTimeout(timer);
    await Promise.all(this.#folders.map(({ listing }) => listing));
  }

  async #follow(folder: Folder, changes: readonly DiskChange[]): Promise<void> {
    const gone = changes.filter(({ kind }) => kind === "delete");
    const rules = changes.some(({ path }) => /^\.(?:git|rg)?ignore$/.test(basename(path)));
    this.#forget(
      folder,
      gone.map(({ path }) => this.#name(folder, path)),
    );
    const created = changes.filter(({ kind }) => kind === "create");
    // A list that is being made may have passed the place already.
    if (rules || folder.listing) this.#listSoon(folder);
    if (created.length > MOST_CREATED) return this.#listSoon(folder);
    for (const { path } of created) {
      const stats = await lstat(path).catch(() => null);
      if (stats?.isDirectory()) this.#listSoon(folder);
      if (stats?.isFile() && !this.#isIgnored(path)) {
        const name = this.#name(folder, path);
        folder.files.set(name, candidate(name));
        this.#unchecked.add(path);
      }
    }
  }

  /** A name that is no file's may be a folder's: then all below it goes. */
  #forget(folder: Folder, names: readonly string[]): void {
    const folders = names.filter((name) => !folder.files.delete(name));
    if (folders.length === 0) return;
    const gone = new Set(folders);
    for (const name of folder.files.keys()) {
      for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) {
        if (gone.has(name.slice(0, at))) {
          folder.files.delete(name);
          break;
        }
      }
    }
  }

  #listSoon(folder: Folder): void {
    if (this.#stop.signal.aborted) return;
    folder.timer ??= setTimeout(() => {
      folder.timer = null;
      void this.#list(folder);
    }, PAUSE_MS);
  }

  async #list(folder: Folder): Promise<void> {
    await folder.listing;
    const listing = this.#read(folder).catch(this.#report);
    folder.listing = listing;
    await listing;
    if (folder.listing === listing) folder.listing = null;
  }

  async #read(folder: Folder): Promise<void> {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(LONGEST_MS)]);
    const { stdout, code } = await ripgrep(["--files", "--null"], { cwd: folder.path, signal });
    if (code === null) return;
    const names = stdout.toString().split("\0");
    names.pop();
    // ripgrep could sort them too, but then walks with one thread.
    names.sort();
    const known = new Map(folder.files);
    folder.files.clear();
    for (const name of names) {
      const path = folder.prefix + name.split(sep).join("/");
      folder.files.set(path, known.get(path) ?? candidate(path));
    }
  }

  *#all(): Iterable<Candidate> {
    for (const { files } of this.#folders) yield* files.values();
  }

  #unasked(limit: number, open: readonly string[]): readonly FoundFile[] {
    const first = open
      .map((path) => ({ path, folder: this.#folders.find((f) => path.startsWith(f.path + sep)) }))
      .flatMap(({ path, folder }) => (folder ? [this.#name(folder, path)] : []));
    const shown = new Set(first.slice(0, limit));
    for (const { path } of this.#all()) {
      if (shown.size >= limit) break;
      shown.add(path);
    }
    return [...shown].map((path) => ({ uri: this.#uri(path), path, matched: [] }));
  }

  #name(folder: Folder, path: string): string {
    return folder.prefix + relative(folder.path, path).split(sep).join("/");
  }

  #uri(name: string): Uri {
    const folder = this.#folders.find(({ prefix }) => name.startsWith(prefix));
    if (!folder) throw new Error(`No folder has ${name}`);
    return fileUri(folder.path + sep + name.slice(folder.prefix.length).split("/").join(sep));
  }
}

/** Two folders of one name are told apart by a number. */
function shownName(folders: readonly string[], index: number): string {
  const name = basename(folders[index] ?? "");
  const same = folders.slice(0, index).filter((path) => basename(path) === name).length;
  return same === 0 ? name : `${name} (${same + 1})`;
}

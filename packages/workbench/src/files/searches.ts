import { join, normalize } from "node:path";
import { filePath, fileUri, type Uri } from "@lockstep/protocol";
import type { SearchEnd, SearchFile, SearchQuery } from "../contract/files.js";
import type { Store } from "../state/store.js";
import type { Window } from "../windows/window.js";
import type { Fence } from "./fence.js";
import { type FileMatches, MatchReader } from "./match-reader.js";
import type { OpenDocuments } from "./open-documents.js";
import { ripgrep } from "./ripgrep.js";
import { globArgs, isWanted, patternArgs } from "./search-pattern.js";

const MOST_MATCHES = 10_000;
const BATCH_MS = 30;
/** A search that takes longer is cut: the pattern is too hard, or the disk too slow. */
const LONGEST_MS = 60_000;
/** Larger files are not text that somebody reads. */
const LARGEST_FILE = "50M";

export interface SearchSurroundings {
  readonly folders: readonly string[];
  readonly fence: Fence;
  readonly store: Store;
  readonly documents: Pick<OpenDocuments, "get">;
  readonly isIgnored: (path: string) => boolean;
  /** For tests. */
  readonly longestMs?: number;
}

/** Where ripgrep looks: in a folder, or in a text that it is given. */
interface Source {
  readonly cwd: string;
  readonly input?: string;
}

/** Searches that windows have asked for. Each goes on by itself until it ends or is stopped. */
export class Searches {
  readonly #around: SearchSurroundings;
  /** Of each window, by its own names for them. */
  readonly #running = new Map<Window, Map<string, AbortController>>();

  constructor(around: SearchSurroundings) {
    this.#around = around;
  }

  async run(id: string, query: SearchQuery, window: Window): Promise<SearchEnd> {
    const running = this.#runningIn(window);
    running.get(id)?.abort();
    const stop = new AbortController();
    running.set(id, stop);
    const timer = setTimeout(() => stop.abort(), this.#around.longestMs ?? LONGEST_MS);
    const batch = new Batch((files) => {
      if (running.get(id) === stop) window.send("search.results", { id, files });
    });
    try {
      const end = await this.#search(query, stop.signal, (file) => batch.add(file));
      batch.flush();
      return end;
    } finally {
      batch.drop();
      clearTimeout(timer);
      if (running.get(id) === stop) running.delete(id);
    }
  }

  /** Its call is answered with what was found until then. */
  stop(id: string, window: Window): void {
    this.#running.get(window)?.get(id)?.abort();
  }

  close(): void {
    for (const running of this.#running.values()) for (const stop of running.values()) stop.abort();
  }

  #runningIn(window: Window): Map<string, AbortController> {
    const known = this.#running.get(window);
    if (known) return known;
    const running = new Map<string, AbortController>();
    this.#running.set(window, running);
    window.onClose(() => {
      this.#running.delete(window);
      for (const stop of running.values()) stop.abort();
    });
    return running;
  }

  async #search(
    query: SearchQuery,
    signal: AbortSignal,
    onFile: (file: SearchFile) => void,
  ): Promise<SearchEnd> {
    const { folders, isIgnored } = this.#around;
    const pattern = patternArgs(query);
    let files = 0;
    let matches = 0;
    const found = (uri: Uri, path: string, file: FileMatches) => {
      files++;
      matches += file.matches.length;
      onFile({ uri, path, lines: file.lines });
    };
    const look = async (args: readonly string[], from: Source, hear: (f: FileMatches) => void) => {
      const reader = new MatchReader(MOST_MATCHES - matches, hear);
      if (reader.isFull || signal.aborted) return;
      const onData = (chunk: Buffer) => reader.push(chunk);
      await ripgrep(["--json", "--crlf", ...args], { ...from, signal, onData });
    };
    const live = this.#live();
    for (const [uri, { path, text }] of live) {
      const from = { cwd: folders[0] ?? "/", input: text };
      if (isWanted(query, path)) {
        await look([...pattern, "-"], from, (file) => found(uri, path, file));
      }
    }
    for (const folder of folders) {
      const args = [...globArgs(query), `--max-filesize=${LARGEST_FILE}`, ...pattern, "--", "."];
      await look(args, { cwd: folder }, (file) => {
        const path = join(folder, normalize(file.path));
        const uri = fileUri(path);
        // A filter for files makes ripgrep forget what is ignored.
        if (!live.has(uri) && !isIgnored(path)) found(uri, this.#shown(folder, path), file);
      });
    }
    return { files, matches, cut: matches >= MOST_MATCHES || signal.aborted };
  }

  /** The documents whose file says something else than the person sees. */
  #live(): ReadonlyMap<Uri, { readonly path: string; readonly text: string }> {
    const { store, fence, documents, isIgnored } = this.#around;
    const live = new Map<Uri, { path: string; text: string }>();
    for (const { uri, dirty, label } of Object.values(store.state.documents)) {
      const document = dirty ? documents.get(uri) : null;
      if (!document) continue;
      const path = filePath(uri);
      if (path !== null && (fence.folderOf(path) === null || isIgnored(path))) continue;
      const shown = path === null ? label : this.#shown(fence.folderOf(path) ?? "", path);
      live.set(uri, { path: shown, text: document.shared.toString() });
    }
    return live;
  }

  #shown(folder: string, path: string): string {
    const { folders, fence } = this.#around;
    const name = fence.relative(path);
    return folders.length > 1 ? `${folder.split(/[/\\]/).at(-1)}/${name}` : name;
  }
}

/** Gathers what is found for a moment, so that a window gets a few messages and not thousands. */
class Batch {
  readonly #send: (files: readonly SearchFile[]) => void;
  #files: SearchFile[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(send: (files: readonly SearchFile[]) => void) {
    this.#send = send;
  }

  add(file: SearchFile): void {
    this.#files.push(file);
    this.#timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  flush(): void {
    this.drop();
    if (this.#files.length > 0) this.#send(this.#files);
    this.#files = [];
  }

  drop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

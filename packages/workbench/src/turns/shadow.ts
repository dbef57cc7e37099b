import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { Worker } from "node:worker_threads";
import { Queue } from "../queue.js";
import { type Full, openCopies } from "./copies.js";
import { GitFiles, isWatched, MOST_NAMED } from "./git-files.js";
import { type Content, copyOf, type Image } from "./image.js";
import { readListing } from "./listing.js";
import {
  type FoundChange,
  shadowThread,
  type ThreadAnswer,
  type ThreadCall,
  type ThreadSetting,
} from "./shadow-thread.js";

const MEGABYTE = 1024 * 1024;

export interface ShadowLimits {
  readonly largest: number;
  readonly most: number;
  readonly mostCopies: number;
  /** Files that a turn shows one by one; of more only the number is told. */
  readonly mostChanges: number;
}

const LIMITS: ShadowLimits = {
  largest: 8 * MEGABYTE,
  most: 256 * MEGABYTE,
  mostCopies: 20_000,
  mostChanges: 1_000,
};

/** More changed paths than this are not gathered: all files are looked at instead. */
const MOST_PATHS = 5_000;

export interface Found {
  readonly changes: readonly FoundChange[];
  readonly cut: number;
  /** Bytes of all copies. */
  readonly used: number;
  readonly full: Full;
}

/**
 * Knows what the files were at the last checkpoint. It follows the watcher, so that a checkpoint with
 * nothing new costs next to nothing; what git has is not copied, and no more is than the limits allow.
 * The work is done in a thread of its own and in git's own process.
 */
export class Shadow {
  readonly #root: string;
  readonly #store: string;
  readonly #limits: ShadowLimits;
  readonly #files: GitFiles;
  readonly #stop = new AbortController();
  readonly #queue = new Queue();
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (answer: ThreadAnswer | Error) => void>();
  #calls = 0;
  #ended: Error | null = null;
  #dirty = new Set<string>();
  /** Too much has changed, or changes were missed. */
  #all = false;

  constructor(root: string, store: string, limits: Partial<ShadowLimits> = {}) {
    this.#root = root;
    this.#store = store;
    this.#limits = { ...LIMITS, ...limits };
    this.#files = new GitFiles(root, this.#stop.signal);
    const workerData: ThreadSetting = { root, store, ...this.#limits };
    // A hundred thousand looks are garbage at once: room for them is cheaper than cleaning up often.
    const resourceLimits = { maxYoungGenerationSizeMb: 64 };
    this.#worker = new Worker(CODE, {
      eval: true,
      execArgv: [],
      env: {},
      workerData,
      resourceLimits,
    });
    // It must not keep the process from ending.
    this.#worker.unref();
    this.#worker.on("message", ({ id, answer, problem }) => {
      this.#waiting.get(id)?.(problem === undefined ? answer : new Error(problem));
      this.#waiting.delete(id);
    });
    const end = (problem: Error) => {
      this.#ended ??= problem;
      for (const settle of this.#waiting.values()) settle(problem);
      this.#waiting.clear();
    };
    this.#worker.on("error", end);
    this.#worker.on("exit", () => end(new Error("The thread that watches over turns has ended")));
  }

  /** Looks at all files for the first time. `before` is what a turn that goes on began with. */
  open(before: readonly (readonly [string, Image | null])[] = []): Promise<Found> {
    return this.#queue.take(async () => {
      const at = Date.now();
      const listing = await this.#files.list(null);
      await this.#ask({ kind: "lookAtAll", listing });
      await this.#ask({ kind: "checkpoint", at, paths: [] });
      return this.#ask({ kind: "resume", before });
    });
  }

  /** These have changed: absolute paths, of which a folder stands for all below it. */
  touch(paths: readonly string[]): void {
    for (const path of paths) {
      if (path === this.#root) this.#all = true;
      if (!path.startsWith(this.#root + sep)) continue;
      const name = path
        .slice(this.#root.length + 1)
        .split(sep)
        .join("/");
      if (this.#dirty.size >= MOST_PATHS) this.#all = true;
      else if (isWatched(name)) this.#dirty.add(name);
    }
  }

  get isTouched(): boolean {
    return this.#all || this.#dirty.size > 0;
  }

  /** What has changed since the checkpoint, as far as was heard of. */
  look(): Promise<Found> {
    return this.#queue.take(() => this.#look());
  }

  /**
   * What had changed until then; from now on later changes are compared with it. What has changed since
   * is looked at next.
   */
  checkpoint(at: number): Promise<Found> {
    return this.#queue.take(async () => {
      if (this.#all) await this.#look();
      const paths = [...this.#dirty];
      this.#dirty = new Set();
      const { unknown, ...found } = await this.#ask({ kind: "checkpoint", at, paths });
      for (const path of unknown) this.#dirty.add(path);
      return found;
    });
  }

  /** We have changed these ourselves: no change of the running turn, where they were none before. */
  settle(paths: readonly string[]): Promise<Found> {
    return this.#queue.take(async () => {
      const { unknown } = await this.#ask({ kind: "look", paths, settled: true });
      return this.#lookListed(unknown, true);
    });
  }

  /** Copies what git has for these images, since git may let go of it. */
  async secure(
    files: readonly { readonly path: string; readonly image: Image | null }[],
  ): Promise<ReadonlyMap<string, Content>> {
    const wanted = files.flatMap(({ path, image }) =>
      image?.kind === "file" && image.content.startsWith("git:")
        ? [{ path, size: image.size, object: image.content.slice("git:".length) }]
        : [],
    );
    const filtered = await this.#files.filtered(wanted.map(({ path }) => path));
    const small = wanted.filter(({ size }) => size <= this.#limits.largest);
    const bytes = await this.#files.read([...new Set(small.map(({ object }) => object))]);
    const { kept } = await this.#ask({ kind: "keep", all: [...bytes.values()] });
    const copies = new Map([...bytes.keys()].map((object, index) => [object, kept[index]]));
    const found = new Map<string, Content>();
    for (const { path, size, object } of wanted) {
      const own = bytes.get(object);
      const copy = copies.get(object);
      if (filtered.has(path) || (own && own.length !== size)) {
        found.set(path, "none:Git keeps it in another form, so there is no copy of it as it was.");
      } else if (own) {
        if (copy?.startsWith("copy:")) found.set(path, copy);
      } else if (size <= this.#limits.largest) {
        found.set(path, "none:Git does not have it any more, so there is no copy of it as it was.");
      }
    }
    return found;
  }

  /** Null where the bytes are nowhere any more. */
  async read(content: Content): Promise<Buffer | null> {
    const copy = copyOf(content);
    if (copy !== null) return readFile(join(this.#store, copy)).catch(() => null);
    if (!content.startsWith("git:")) return null;
    const object = content.slice("git:".length);
    return (await this.#files.read([object])).get(object) ?? null;
  }

  /** Removes the copies that nobody needs; answers how many bytes are left. */
  async prune(keep: readonly string[]): Promise<number> {
    return (await this.#ask({ kind: "prune", keep })).used;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#queue.idle().catch(() => {});
    await this.#worker.terminate();
  }

  async #look(): Promise<Found> {
    const paths = [...this.#dirty];
    const all = this.#all;
    this.#dirty = new Set();
    this.#all = false;
    if (all) {
      const listing = await this.#files.list(null);
      return this.#ask({ kind: "lookAtAll", listing });
    }
    const { unknown, ...found } = await this.#ask({ kind: "look", paths, settled: false });
    return unknown.length === 0 ? found : this.#lookListed(unknown, false);
  }

  /** What is not known yet counts only if it is not ignored. */
  async #lookListed(unknown: readonly string[], settled: boolean): Promise<Found> {
    if (unknown.length === 0) return this.#ask({ kind: "look", paths: [], settled });
    const listing = await this.#files.list(unknown.length > MOST_NAMED ? null : unknown);
    return this.#ask({ kind: "lookListed", listing, settled });
  }

  #ask(call: ThreadCall): Promise<ThreadAnswer> {
    const id = ++this.#calls;
    return new Promise((resolve, reject) => {
      if (this.#stop.signal.aborted) return reject(new Error("The shadow is closed"));
      if (this.#ended) return reject(this.#ended);
      this.#waiting.set(id, (answer) =>
        answer instanceof Error ? reject(answer) : resolve(answer),
      );
      const index = "listing" in call ? call.listing.index : null;
      // A list of megabytes is handed over, not copied.
      const whole = index && index.byteLength === index.buffer.byteLength;
      this.#worker.postMessage({ id, call }, whole ? [index.buffer as ArrayBuffer] : []);
    });
  }
}

const CODE = `
const { parentPort, workerData } = require("node:worker_threads");
const __name = (named) => named; // Some compilers put calls of this into what they compile.
const parts = {
  fs: require("node:fs"),
  path: require("node:path"),
  crypto: require("node:crypto"),
  openCopies: ${openCopies},
  readListing: ${readListing},
};
const answer = (${shadowThread})(parts, workerData);
parentPort.on("message", ({ id, call }) => {
  try {
    parentPort.postMessage({ id, answer: answer(call) });
  } catch (problem) {
    parentPort.postMessage({ id, problem: String(problem) });
  }
});
`;

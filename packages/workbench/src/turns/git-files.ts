import { lstat, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { type Git, quietGit } from "../files/git-command.js";
import { ripgrep } from "../files/ripgrep.js";
import type { Listing } from "./listing.js";

/** So many names fit on a command line for sure; more are listed with all others. */
export const MOST_NAMED = 200;

/** Folders whose changes nobody watches. */
const UNWATCHED = /(?:^|\/)(?:node_modules|\.git)\//;

/** ripgrep waits for ever for a pipe in the place of a .gitignore. */
const LONGEST_MS = 60_000;

const NOTHING = Buffer.alloc(0);

/**
 * Lists the files of a workspace folder that are not ignored, and reads git's objects. Without git, or
 * where it cannot be held back from running what the repository names, ripgrep lists them.
 */
export class GitFiles {
  readonly #folder: string;
  readonly #signal: AbortSignal;
  #git: Git | null = null;
  #index: string | null = null;

  constructor(folder: string, signal: AbortSignal) {
    this.#folder = folder;
    this.#signal = signal;
  }

  /** All of them, or those among these paths and below them. */
  async list(paths: readonly string[] | null): Promise<Listing> {
    await this.#find();
    const git = this.#git;
    const named = paths && paths.length <= MOST_NAMED ? ["--", ...paths] : [];
    if (!git) return this.#byRipgrep(paths);
    const indexTime = await this.#indexTime();
    const [index, others] = await Promise.all([
      git("--literal-pathspecs", "ls-files", "-z", "--stage", "--debug", ...named),
      git(
        ...["--literal-pathspecs", "ls-files", "-z", "--others", "--exclude-standard"],
        ...["--exclude=node_modules", ...named],
      ),
    ]);
    if (index.code !== 0 || others.code !== 0) return this.#byRipgrep(paths);
    const sizes = (await this.#mayConvert(git, index.stdout))
      ? await sizesOf(git, index.stdout)
      : null;
    return { index: index.stdout, indexTime, others: others.stdout, sizes };
  }

  /** The bytes of objects; those that are not here are left out. */
  async read(objects: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const found = new Map<string, Buffer>();
    if (!this.#git || objects.length === 0) return found;
    const { stdout, code } = await this.#git.feed(`${objects.join("\n")}\n`, "cat-file", "--batch");
    if (code === null) return found;
    for (let at = 0; at < stdout.length; ) {
      const end = stdout.indexOf(10, at);
      if (end < 0) break;
      const [name = "", kind, size] = stdout.toString("latin1", at, end).split(" ");
      at = end + 1;
      if (size === undefined) continue;
      const stop = at + Number(size);
      if (kind === "blob") found.set(name, stdout.subarray(at, stop));
      at = stop + 1;
    }
    return found;
  }

  /** Those of the paths that git keeps through a filter: their objects are something else. */
  async filtered(paths: readonly string[]): Promise<ReadonlySet<string>> {
    if (!this.#git || paths.length === 0) return new Set();
    const input = paths.map((path) => `${path}\0`).join("");
    const { stdout } = await this.#git.feed(input, "check-attr", "-z", "--stdin", "filter");
    const fields = stdout.toString().split("\0");
    const found = new Set<string>();
    for (let at = 0; at + 2 < fields.length; at += 3) {
      const [path = "", , value = ""] = fields.slice(at, at + 3);
      if (value !== "unspecified" && value !== "unset") found.add(path);
    }
    return found;
  }

  /** A folder may become a repository, or cease to be one. */
  async #find(): Promise<void> {
    try {
      const git = await quietGit(this.#folder, this.#signal);
      const place = await git?.("rev-parse", "--git-path", "index");
      this.#git = place?.code === 0 ? git : null;
      this.#index = place?.code === 0 ? place.stdout.toString().replace(/\n$/, "") : null;
    } catch {
      // Where git cannot be asked, the files are listed as in a folder without it.
      this.#git = null;
    }
  }

  async #indexTime(): Promise<number> {
    const stats = await stat(resolve(this.#folder, this.#index ?? "")).catch(() => null);
    return stats?.mtimeMs ?? 0;
  }

  /** Whether files can differ from their objects: by line ends, filters or encodings. */
  async #mayConvert(git: Git, index: Buffer): Promise<boolean> {
    if (index.includes(".gitattributes\0")) return true;
    const settings = "^core\\.(autocrlf|eol|attributesfile)$";
    const { code } = await git("config", "--get-regexp", settings);
    if (code !== 1) return true;
    const attributes = await git("rev-parse", "--git-path", "info/attributes");
    const place = resolve(this.#folder, attributes.stdout.toString().replace(/\n$/, ""));
    return (await stat(place).catch(() => null)) !== null;
  }

  async #byRipgrep(paths: readonly string[] | null): Promise<Listing> {
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(LONGEST_MS)]);
    const args = ["--files", "--null", "--glob=!node_modules"];
    const { stdout, code } = await ripgrep(args, { cwd: this.#folder, signal });
    const all = code === null ? NOTHING : stdout;
    const others =
      paths === null ? all : Buffer.concat([among(all, new Set(paths)), await this.#links(paths)]);
    return { index: null, indexTime: 0, others, sizes: null };
  }

  /** ripgrep lists no links. */
  async #links(paths: readonly string[]): Promise<Buffer> {
    const found: string[] = [];
    for (const path of paths.slice(0, MOST_NAMED)) {
      const stats = await lstat(resolve(this.#folder, path)).catch(() => null);
      if (stats?.isSymbolicLink()) found.push(`\0${path}`);
    }
    return Buffer.from(found.join(""));
  }
}

/** Those of the names that are in the set, or below one that is. */
function among(names: Uint8Array, wanted: ReadonlySet<string>): Uint8Array {
  const isWanted = (name: string) => {
    for (let at = name.length; at > 0; at = name.lastIndexOf("/", at - 1)) {
      if (wanted.has(name.slice(0, at))) return true;
    }
    return false;
  };
  return Buffer.from(Buffer.from(names).toString().split("\0").filter(isWanted).join("\0"));
}

async function sizesOf(git: Git, index: Buffer): Promise<Buffer | null> {
  const objects = new Set<string>();
  for (const [, object] of index.toString().matchAll(/(?:^|\n|\0)\d{6} ([0-9a-f]+) 0\t/g)) {
    if (object) objects.add(object);
  }
  const { stdout, code } = await git.feed([...objects].join("\n"), "cat-file", "--batch-check");
  return code === 0 ? stdout : null;
}

/** Whether turns look at it at all. */
export const isWatched = (path: string): boolean =>
  path !== "" && !UNWATCHED.test(`${path}/`) && !/^\.lockstep-[0-9a-f]{12}$/.test(basename(path));

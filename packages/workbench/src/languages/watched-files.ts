import { relative } from "node:path";
import { filePath, isWithin, parseUri } from "@lockstep/protocol";
import * as lsp from "./lsp.js";

export interface WatchedChange {
  readonly path: string;
  readonly kind: "create" | "update" | "delete";
}

/** As the protocol adds them up. */
const KINDS = { create: 1, update: 2, delete: 4 } as const;
const ALL_KINDS = 7;
/** A server that names more is told of everything, and so is every one when so much changes at once. */
const MOST_PATTERNS = 200;
const MOST_CHANGES = 2_000;
/** More stars in a pattern would cost too much to look for; such a pattern fits everything. */
const MOST_STARS = 5;
const LONGEST_PATTERN = 1_000;

interface Watcher {
  /** The folder that the pattern starts from; null for the workspace's, or any. */
  readonly base: string | null;
  readonly pattern: RegExp;
  readonly kinds: number;
}

/**
 * Which changes on the disk a server wants to hear of. More than that does harm: rust-analyzer loads
 * its project anew for what its own check has written.
 */
export class WatchedFiles {
  readonly #folders: readonly string[];
  /** By the registration's id. */
  readonly #watchers = new Map<string, readonly Watcher[]>();
  #everything = false;

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  register(id: string, options: unknown): void {
    const { data } = lsp.watching.safeParse(options);
    // One without a pattern counts, too.
    const count = [...this.#watchers.values()].reduce((sum, { length }) => sum + length + 1, 0);
    const wishes = data?.watchers ?? [];
    if (!data || count + wishes.length > MOST_PATTERNS) this.#everything = true;
    else this.#watchers.set(id, wishes.flatMap(watcherOf));
  }

  unregister(id: string): void {
    this.#watchers.delete(id);
  }

  /** Those of the changes that it wants to hear of. */
  among(changes: readonly WatchedChange[]): readonly WatchedChange[] {
    if (this.#watchers.size === 0 && !this.#everything) return [];
    if (this.#everything || changes.length > MOST_CHANGES) return changes;
    return changes.filter((change) => this.#wants(change));
  }

  #wants({ path, kind }: WatchedChange): boolean {
    return [...this.#watchers.values()].some((watchers) =>
      watchers.some((watcher) => watcher.kinds & KINDS[kind] && this.#fits(watcher, path)),
    );
  }

  #fits({ base, pattern }: Watcher, path: string): boolean {
    if (base !== null) return isWithin(path, base) && pattern.test(relative(base, path));
    return (
      pattern.test(path) ||
      this.#folders.some((folder) => isWithin(path, folder) && pattern.test(relative(folder, path)))
    );
  }
}

function watcherOf({ globPattern, kind }: lsp.Watching["watchers"][number]): readonly Watcher[] {
  const kinds = kind ?? ALL_KINDS;
  if (typeof globPattern === "string") return [{ base: null, pattern: glob(globPattern), kinds }];
  const { baseUri, pattern } = globPattern;
  const uri = parseUri(typeof baseUri === "string" ? baseUri : baseUri.uri);
  const base = uri && filePath(uri);
  return base === null ? [] : [{ base, pattern: glob(pattern), kinds }];
}

/** A pattern of the protocol: `*`, `?`, `**`, `{a,b}`, `[a-z]` and `[!a-z]`. */
export function glob(pattern: string): RegExp {
  if (pattern.length > LONGEST_PATTERN) return /^/;
  let stars = 0;
  let depth = 0;
  const source = pattern.replace(PARTS, (part, set?: string) => {
    if (part.startsWith("**")) stars++;
    if (part === "*") stars++;
    if (/^(?:\*\*\/)+$/.test(part)) return "(?:.*/)?";
    if (part.startsWith("**")) return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    if (set !== undefined) return `[${set.replace(/[\\[]/g, "\\$&").replace(/^[!^]/, "^/")}]`;
    if (part === "{") {
      depth++;
      return "(?:";
    }
    if (part === "}" && depth > 0) {
      depth--;
      return ")";
    }
    if (part === "," && depth > 0) return "|";
    return part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  });
  try {
    return stars > MOST_STARS ? /^/ : new RegExp(`^${source}$`, "s");
  } catch {
    // What is no pattern keeps nothing from the server.
    return /^/;
  }
}

const PARTS = /(?:\*\*\/)+|\*\*+|\*|\?|\[([!^]?[^\]/]+)\]|[{},]|[^*?[{},]+|\[/g;

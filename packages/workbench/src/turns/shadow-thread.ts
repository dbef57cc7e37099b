import type { CopiesSetting, Full, openCopies } from "./copies.js";
import type { Content, Image } from "./image.js";
import type { Indexed, Listing, readListing } from "./listing.js";

export interface ThreadSetting extends CopiesSetting {
  /** The workspace folder. */
  readonly root: string;
  /** Bytes of a file that is copied at most. */
  readonly largest: number;
  /** Of the files that a turn reports one by one. */
  readonly mostChanges: number;
}

export type ThreadCall =
  /** Looks at all of the listed files, and at those that were there before. */
  | { readonly kind: "lookAtAll"; readonly listing: Listing }
  /** Looks at these paths, from the root on. Answers those that it does not know, to be listed. */
  | { readonly kind: "look"; readonly paths: readonly string[]; readonly settled: boolean }
  /** The same, with what the list of the unknown ones was. */
  | { readonly kind: "lookListed"; readonly listing: Listing; readonly settled: boolean }
  /**
   * What was there then is what the next changes are compared with. Looks at these paths first, except
   * for those that have changed since: they are answered as unknown.
   */
  | { readonly kind: "checkpoint"; readonly at: number; readonly paths: readonly string[] }
  | { readonly kind: "keep"; readonly all: readonly Uint8Array[] }
  /** Takes back what was before, of a turn that goes on after a restart. */
  | { readonly kind: "resume"; readonly before: readonly (readonly [string, Image | null])[] }
  /** Removes all copies but these and those in use. */
  | { readonly kind: "prune"; readonly keep: readonly string[] };

export interface FoundChange {
  readonly path: string;
  readonly before: Image | null;
  readonly after: Image | null;
}

export interface ThreadAnswer {
  /** All changes since the checkpoint, up to a number. */
  readonly changes: readonly FoundChange[];
  /** How many more there are. */
  readonly cut: number;
  readonly unknown: readonly string[];
  readonly kept: readonly Content[];
  /** Files, and bytes of copies. */
  readonly files: number;
  readonly used: number;
  readonly full: Full;
}

/** What a thread has: Node's modules, and our functions by their sources. */
export interface ThreadParts {
  readonly fs: typeof import("node:fs");
  readonly path: typeof import("node:path");
  readonly crypto: typeof import("node:crypto");
  readonly openCopies: typeof openCopies;
  readonly readListing: typeof readListing;
}

/**
 * The shadow of a workspace: what is at each path now, by its times and by where its bytes are, and
 * what was there at the checkpoint of the turn. All of it runs in a thread of its own, which gets this
 * function as source: it uses nothing from outside but its parts.
 */
export function shadowThread(
  { openCopies, readListing, ...modules }: ThreadParts,
  setting: ThreadSetting,
): (call: ThreadCall) => ThreadAnswer {
  type Seen = {
    readonly image: Image;
    readonly mtime: number;
    readonly ctime: number;
    readonly inode: number;
    /** It was so young that it may have been written again without a sign. */
    readonly young: boolean;
  };
  const { fs, path: paths, crypto } = modules;
  const { root, largest, mostChanges } = setting;
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  /** A file's clock ticks every few milliseconds. */
  const TICK_MS = 20;
  /** Simply put together: a hundred thousand times, normalizing takes longer than looking. */
  const placeOf = (path: string) => `${root}/${path}`;
  const NO_NEWS = { changes: [], cut: 0 };
  const now = new Map<string, Seen>();
  const before = new Map<string, Seen | null>();
  const copies = openCopies(modules, setting);
  /** When the checkpoint was; until the first one nothing is a change. */
  let since = Number.POSITIVE_INFINITY;

  /** Whether these bytes are that object of git's: its name is the hash of a head and the bytes. */
  function isObject(bytes: Uint8Array, name: string): boolean {
    const hash = crypto.createHash(name.length === 64 ? "sha256" : "sha1");
    return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex") === name;
  }

  /** The bytes, and what was seen of the file while they did not change; null if it is gone. */
  function read(path: string): { bytes: Buffer; stats: import("node:fs").Stats } | null {
    const file = fs.openSync(placeOf(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      for (let attempt = 0; ; attempt++) {
        const stats = fs.fstatSync(file);
        if (!stats.isFile()) return null;
        const bytes = Buffer.allocUnsafe(stats.size);
        let length = 0;
        while (length < bytes.length) {
          const part = fs.readSync(file, bytes, length, bytes.length - length, length);
          if (part === 0) break;
          length += part;
        }
        const after = fs.fstatSync(file);
        const same = after.mtimeMs === stats.mtimeMs && after.size === stats.size;
        if ((same && length === bytes.length) || attempt === 3) {
          return { bytes: bytes.subarray(0, length), stats: after };
        }
      }
    } finally {
      fs.closeSync(file);
    }
  }

  /** Where its bytes are; they are read, and copied unless one of `known` has them. */
  function capture(
    path: string,
    size: number,
    known: readonly (Content | undefined)[],
  ): { content: Content; stats: import("node:fs").Stats | null } {
    const objects = known.filter((content) => content?.startsWith("git:"));
    if (size > largest) {
      const limit = Math.round(largest / 1024 / 1024);
      return {
        content: `none:It is larger than ${limit} MB, so there is no copy of it.`,
        stats: null,
      };
    }
    try {
      const found = read(path);
      if (!found) return { content: "none:It is not an ordinary file.", stats: null };
      const { bytes, stats } = found;
      const object = objects.find((content) => isObject(bytes, content?.slice(4) ?? ""));
      return { content: object ?? copies.keep(bytes), stats };
    } catch (problem) {
      const code = (problem as NodeJS.ErrnoException).code;
      const why =
        code === "EACCES" || code === "EPERM"
          ? "It may not be read"
          : `It cannot be read (${code})`;
      return { content: `none:${why}, so there is no copy of it.`, stats: null };
    }
  }

  /** Null also below what is no folder, which is an error of another kind. */
  function lookAtPlace(place: string): import("node:fs").Stats | null {
    try {
      return fs.lstatSync(place, { throwIfNoEntry: false }) ?? null;
    } catch {
      return null;
    }
  }

  /** Folders, and whether they are links or below one, or lead up; good for one call. */
  const linked = new Map<string, boolean>();

  /**
   * What a link leads to is not at this path, and perhaps not in the workspace. Nor is what a path with
   * ".." names, which a forged index can have.
   */
  function isBelowLink(path: string): boolean {
    const end = path.lastIndexOf("/");
    if (end < 0) return false;
    const folder = path.slice(0, end);
    let answer = linked.get(folder);
    if (answer === undefined) {
      const isUp = paths.basename(folder) === "..";
      const isLink = lookAtPlace(placeOf(folder))?.isSymbolicLink() ?? false;
      answer = isUp || isLink || isBelowLink(folder);
      linked.set(folder, answer);
    }
    return answer;
  }

  function stat(path: string): import("node:fs").Stats | null {
    if (isBelowLink(path)) return null;
    const stats = lookAtPlace(placeOf(path));
    return stats && (stats.isFile() || stats.isSymbolicLink()) ? stats : null;
  }

  /** What is gone tells by its folder. */
  function changedAt(path: string): number {
    const stats = stat(path);
    if (stats) return stats.ctimeMs;
    const folder = paths.dirname(placeOf(path));
    return lookAtPlace(folder)?.mtimeMs ?? 0;
  }

  const near = (a: number, b: number) => Math.abs(a - b) < 0.002;

  function seen(image: Image, at: import("node:fs").Stats): Seen {
    const young = Date.now() - at.ctimeMs < TICK_MS;
    return { image, mtime: at.mtimeMs, ctime: at.ctimeMs, inode: at.ino, young };
  }

  /** What is at the path now. What git has as it is, or what has not changed, is not read. */
  function see(path: string, indexed: Indexed | null): Seen | null {
    const stats = stat(path);
    if (!stats) return null;
    if (stats.isSymbolicLink()) {
      try {
        return seen({ kind: "link", target: fs.readlinkSync(placeOf(path)) }, stats);
      } catch {
        // It was removed, or became something else, since the look: the watcher tells of that.
        return null;
      }
    }
    const known = now.get(path);
    const mode = stats.mode & 0o777;
    const { size } = stats;
    const isKnown =
      known?.image.kind === "file" &&
      !known.young &&
      known.mtime === stats.mtimeMs &&
      known.ctime === stats.ctimeMs &&
      known.inode === stats.ino &&
      known.image.size === size;
    if (isKnown) return known;
    const isClean =
      indexed && near(indexed.mtime, stats.mtimeMs) && near(indexed.ctime, stats.ctimeMs);
    if (isClean && indexed.size === size) {
      return seen({ kind: "file", mode, size, content: `git:${indexed.object}` }, stats);
    }
    const was = before.get(path)?.image;
    const contents = [
      known?.image.kind === "file" ? known.image.content : undefined,
      was?.kind === "file" ? was.content : undefined,
      indexed ? (`git:${indexed.object}` as const) : undefined,
    ];
    const found = capture(path, size, contents);
    const at = found.stats ?? stats;
    return seen({ kind: "file", mode: at.mode & 0o777, size: at.size, content: found.content }, at);
  }

  /**
   * Takes in what is at a path. A settled one is no change of this turn, nor is one from before the
   * checkpoint that is heard of late.
   */
  function look(path: string, indexed: Indexed | null, settled: boolean): void {
    const old = now.get(path) ?? null;
    const there = see(path, indexed);
    if (there === old) return;
    const late = there ? there.ctime < since - TICK_MS : since === Number.POSITIVE_INFINITY;
    if (!settled && !late && !before.has(path)) before.set(path, old);
    if (there) now.set(path, there);
    else now.delete(path);
  }

  function lookListed(listing: Listing, settled: boolean, rest?: Set<string>): void {
    const visit = (path: string, indexed: Indexed | null) => {
      look(path, indexed, settled);
      rest?.delete(path);
    };
    const others = readListing(listing, visit);
    const links = listing.index === null ? linksBeside(others) : [];
    for (const path of [...others, ...links]) visit(path, null);
  }

  /** ripgrep lists no links: those are found that are in a folder with files. */
  function linksBeside(files: readonly string[]): readonly string[] {
    const folders = new Set(files.map((file) => file.slice(0, file.lastIndexOf("/") + 1)));
    return [...folders].flatMap((folder) => {
      try {
        const entries = fs.readdirSync(placeOf(folder), { withFileTypes: true });
        return entries.filter((each) => each.isSymbolicLink()).map(({ name }) => folder + name);
      } catch {
        // The folder is gone since it was listed, or may not be read: then there are no links to follow.
        return [];
      }
    });
  }

  /** A path stands for all below it. */
  function lookAt(changed: readonly string[], settled: boolean): readonly string[] {
    const folders = new Set<string>();
    const unknown: string[] = [];
    for (const path of changed) {
      if (now.has(path)) look(path, null, settled);
      // Also what was a file and is a folder now.
      if (!now.has(path)) folders.add(path);
    }
    if (folders.size === 0) return [];
    for (const path of [...now.keys()]) {
      for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
        if (!folders.has(path.slice(0, at))) continue;
        look(path, null, settled);
        break;
      }
    }
    for (const path of folders) {
      if (before.has(path) && !now.has(path)) look(path, null, settled);
      const there = lookAtPlace(placeOf(path));
      if (!now.has(path) && there) unknown.push(path);
    }
    return unknown;
  }

  function prune(wanted: readonly string[]): void {
    const keeping = new Set(wanted);
    for (const seen of [...now.values(), ...before.values()]) {
      if (seen?.image.kind === "file") keeping.add(seen.image.content.slice("copy:".length));
    }
    copies.prune(keeping);
  }

  function isSame(a: Image | null, b: Image | null): boolean {
    if (!a || !b) return a === b;
    if (a.kind === "link") return b.kind === "link" && a.target === b.target;
    return b.kind === "file" && a.mode === b.mode && a.size === b.size && a.content === b.content;
  }

  function found(): Pick<ThreadAnswer, "changes" | "cut"> {
    const changes: FoundChange[] = [];
    let cut = 0;
    for (const [path, was] of before) {
      const seen = now.get(path) ?? null;
      const is = seen?.image ?? null;
      // Without a copy only its times can tell.
      const unknown = is?.kind === "file" && is.content.startsWith("none:");
      if (unknown ? seen === was : isSame(was?.image ?? null, is)) continue;
      if (changes.length < mostChanges)
        changes.push({ path, before: was?.image ?? null, after: is });
      else cut++;
    }
    return { changes, cut };
  }

  const state = () => ({ files: now.size, used: copies.used(), full: copies.full() });

  return (call) => {
    let unknown: readonly string[] = [];
    let kept: readonly Content[] = [];
    linked.clear();
    if (call.kind === "look") unknown = lookAt(call.paths, call.settled);
    else if (call.kind === "lookListed") lookListed(call.listing, call.settled);
    else if (call.kind === "lookAtAll") {
      const rest = new Set(now.keys());
      lookListed(call.listing, false, rest.size > 0 ? rest : undefined);
      for (const path of rest) look(path, null, false);
    } else if (call.kind === "checkpoint") {
      const isYoung = (path: string) => changedAt(path) > call.at - TICK_MS;
      const young = new Set(call.paths.filter(isYoung));
      const old = call.paths.filter((path) => !young.has(path));
      unknown = [...lookAt(old, false), ...young];
      const answer = { ...found(), unknown, kept, ...state() };
      before.clear();
      copies.checkpoint();
      since = call.at;
      return answer;
    } else if (call.kind === "keep") kept = call.all.map(copies.keep);
    else if (call.kind === "prune") prune(call.keep);
    else {
      for (const [path, image] of call.before) {
        before.set(path, image && { image, mtime: 0, ctime: 0, inode: 0, young: true });
      }
    }
    const news = call.kind === "keep" || call.kind === "prune" ? NO_NEWS : found();
    return { ...news, unknown, kept, ...state() };
  };
}

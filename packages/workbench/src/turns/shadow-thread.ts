import type { Content, Image } from "./image.js";

export interface ThreadSetting {
  /** The workspace folder, and the folder of the copies. */
  readonly root: string;
  readonly store: string;
  /** Bytes of a file that is copied at most. */
  readonly largest: number;
  /** Bytes of all copies at most; those of the first look take half of it. */
  readonly most: number;
  /** Files that are copied between two checkpoints at most. */
  readonly mostCopies: number;
  /** Of the files that a turn reports one by one. */
  readonly mostChanges: number;
}

/** Names as git and ripgrep write them, each ended by NUL. */
export interface Listing {
  /** `git ls-files --stage`, with `--debug` for what the index knows of the files; null without git. */
  readonly index: Uint8Array | null;
  /** When the index was written: a file as young as it may have changed without a sign. */
  readonly indexTime: number;
  /** Files that git does not have and does not ignore. Without git: all that are not ignored. */
  readonly others: Uint8Array;
  /** `git cat-file --batch-check`: only given where objects can differ from the files. */
  readonly sizes: Uint8Array | null;
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
  /** A copy was not made for want of room: in our limit, or on the disk. */
  readonly full: "limit" | "disk" | null;
}

type Modules = {
  readonly fs: typeof import("node:fs");
  readonly path: typeof import("node:path");
  readonly crypto: typeof import("node:crypto");
};

/**
 * The shadow of a workspace: what is at each path now, by its times and by where its bytes are, and
 * what was there at the checkpoint of the turn. All of it runs in a thread of its own, which gets this
 * function as source: it uses nothing from outside.
 */
export function shadowThread(
  { fs, path: paths, crypto }: Modules,
  { root, store, largest, most, mostCopies, mostChanges }: ThreadSetting,
): (call: ThreadCall) => ThreadAnswer {
  type Seen = {
    readonly image: Image;
    readonly mtime: number;
    readonly ctime: number;
    readonly inode: number;
    /** It was so young that it may have been written again without a sign. */
    readonly young: boolean;
  };
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  /** A file's clock ticks every few milliseconds. */
  const TICK_MS = 20;
  /** Simply put together: a hundred thousand times, normalizing takes longer than looking. */
  const placeOf = (path: string) => `${root}/${path}`;
  const NO_NEWS = { changes: [], cut: 0 };
  const now = new Map<string, Seen>();
  const before = new Map<string, Seen | null>();
  let used = sizeOfStore();
  let copies = 0;
  let full: ThreadAnswer["full"] = null;
  /** When the checkpoint was; until the first one nothing is a change. */
  let since = Number.POSITIVE_INFINITY;

  function sizeOfStore(): number {
    let bytes = 0;
    fs.mkdirSync(store, { recursive: true, mode: 0o700 });
    for (const name of fs.readdirSync(store)) {
      const place = paths.join(store, name);
      // What a crash has left half-written goes.
      if (name.includes(".")) remove(place);
      else bytes += sizeOf(place);
    }
    return bytes;
  }

  /** Zero for what somebody has removed meanwhile. */
  function sizeOf(place: string): number {
    return fs.statSync(place, { throwIfNoEntry: false })?.size ?? 0;
  }

  /**
   * Whether it is gone now. What the system does not let go of, as while a virus scanner reads it, only
   * takes room: it stays, and is tried again with the next start or when room is wanted.
   */
  function remove(place: string): boolean {
    try {
      fs.unlinkSync(place);
      return true;
    } catch (problem) {
      const { code = "" } = problem as NodeJS.ErrnoException;
      if (["ENOENT", "ENOTDIR"].includes(code)) return true;
      if (["EACCES", "EPERM", "EBUSY", "EISDIR", "EROFS"].includes(code)) return false;
      throw problem;
    }
  }

  function keep(bytes: Uint8Array): Content {
    const hash = crypto.createHash("sha256").update(bytes).digest("hex");
    const place = paths.join(store, hash);
    if (fs.existsSync(place)) return `copy:${hash}`;
    const room = since === Number.POSITIVE_INFINITY ? most / 2 : most;
    if (used + bytes.length > room) {
      full ??= "limit";
      return "none:The copies of files have reached their limit, so there is none of it.";
    }
    if (++copies > mostCopies) {
      return "none:So many files have changed at once that there is no copy of this one.";
    }
    const draft = `${place}.${process.pid}`;
    try {
      fs.writeFileSync(draft, bytes, { mode: 0o600, flag: "wx" });
      fs.renameSync(draft, place);
    } catch (problem) {
      full = "disk";
      remove(draft);
      const code = (problem as NodeJS.ErrnoException).code ?? String(problem);
      return `none:No copy of it could be made: ${code === "ENOSPC" ? "the disk is full" : code}.`;
    }
    used += bytes.length;
    return `copy:${hash}`;
  }

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
      return { content: object ?? keep(bytes), stats };
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

  function stat(path: string): import("node:fs").Stats | null {
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

  interface Indexed {
    readonly object: string;
    readonly mtime: number;
    readonly ctime: number;
    readonly size: number;
  }

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

  function names(bytes: Uint8Array): readonly string[] {
    const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString().split("\0");
    return found.filter((name) => name !== "" && !name.endsWith("/"));
  }

  /**
   * Each entry is "mode object stage TAB name NUL", with a block of numbers after it or without. Read
   * by hand: for a hundred thousand of them a pattern takes half as long as all the rest.
   */
  function readIndex(
    listing: Listing,
    visit: (path: string, indexed: Indexed | null) => void,
  ): void {
    const { index, indexTime, sizes } = listing;
    if (!index) return;
    const objectSizes = sizes && new Map(sizesIn(sizes));
    const text = Buffer.from(index.buffer, index.byteOffset, index.length).toString();
    let at = 0;
    const nextNumber = (): number => {
      let code = text.charCodeAt(at);
      while (code < 48 || code > 57) code = text.charCodeAt(++at);
      let value = 0;
      for (; code >= 48 && code <= 57; code = text.charCodeAt(++at)) value = value * 10 + code - 48;
      return value;
    };
    const nextTime = () => nextNumber() * 1_000 + nextNumber() / 1e6;
    while (at < text.length) {
      const tab = text.indexOf("\t", at);
      const end = text.indexOf("\0", tab);
      if (tab < 0 || end < 0) return;
      // Cut by hand, too: lists of words are garbage that the thread would be cleaning up.
      const space = text.indexOf(" ", at);
      const isCommit = text.startsWith("160000", at);
      const object = text.slice(space + 1, tab - 2);
      const isMerged = text.charCodeAt(tab - 1) === 48;
      const name = text.slice(tab + 1, end);
      at = end + 1;
      let [ctime, mtime, size] = [Number.NaN, Number.NaN, Number.NaN];
      if (text.startsWith("  ctime: ", at)) {
        ctime = nextTime();
        mtime = nextTime();
        // Device, inode, owner and group.
        for (let skipped = 0; skipped < 4; skipped++) nextNumber();
        size = nextNumber();
        at = text.indexOf("\n", at) + 1;
        if (at === 0) return;
      }
      const differs = objectSizes !== null && objectSizes.get(object) !== size;
      const racy = !(mtime < indexTime);
      // A commit of another repository has no bytes, and of a merge nothing is clean.
      if (isCommit) continue;
      if (!isMerged) visit(name, null);
      else visit(name, { object, mtime: differs || racy ? Number.NaN : mtime, ctime, size });
    }
  }

  /** Lines of "object type size". */
  function sizesIn(sizes: Uint8Array): readonly (readonly [string, number])[] {
    const lines = Buffer.from(sizes.buffer, sizes.byteOffset, sizes.length).toString().split("\n");
    return lines.map((line) => {
      const [object = "", , size] = line.split(" ");
      return [object, Number(size)] as const;
    });
  }

  function lookListed(listing: Listing, settled: boolean, rest?: Set<string>): void {
    readIndex(listing, (path, indexed) => {
      look(path, indexed, settled);
      rest?.delete(path);
    });
    const others = names(listing.others);
    const links = listing.index === null ? linksBeside(others) : [];
    for (const path of [...others, ...links]) {
      look(path, null, settled);
      rest?.delete(path);
    }
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
    for (const name of fs.readdirSync(store)) {
      if (keeping.has(name)) continue;
      const place = paths.join(store, name);
      const size = sizeOf(place);
      if (remove(place)) used -= size;
    }
    full = null;
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

  return (call) => {
    let unknown: readonly string[] = [];
    let kept: readonly Content[] = [];
    full = null;
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
      const answer = { ...found(), unknown, kept, files: now.size, used, full };
      before.clear();
      copies = 0;
      since = call.at;
      return answer;
    } else if (call.kind === "keep") kept = call.all.map(keep);
    else if (call.kind === "prune") prune(call.keep);
    else {
      for (const [path, image] of call.before) {
        before.set(path, image && { image, mtime: 0, ctime: 0, inode: 0, young: true });
      }
    }
    const news = call.kind === "keep" || call.kind === "prune" ? NO_NEWS : found();
    return { ...news, unknown, kept, files: now.size, used, full };
  };
}

import type { Content } from "./image.js";

export interface CopiesSetting {
  /** The folder of the copies. */
  readonly store: string;
  /** Bytes of all copies at most; those of the first look take half of it. */
  readonly most: number;
  /** Files that are copied between two checkpoints at most. */
  readonly mostCopies: number;
}

/** Why a copy was not made for want of room: that of our limit, or on the disk. */
export type Full = "limit" | "disk" | null;

/** Copies of files, each named by the hash of its bytes. */
export interface Copies {
  /** Bytes of them all. */
  readonly used: () => number;
  readonly keep: (bytes: Uint8Array) => Content;
  /** From the first checkpoint on all of the room may be used, and after each as many are made again. */
  readonly checkpoint: () => void;
  /** Removes all whose names are not among these. */
  readonly prune: (keeping: ReadonlySet<string>) => void;
  /** Of what was kept since it was asked last. */
  readonly full: () => Full;
}

type Modules = {
  readonly fs: typeof import("node:fs");
  readonly path: typeof import("node:path");
  readonly crypto: typeof import("node:crypto");
};

/**
 * The copies of last time, and more. Runs in the shadow's thread, which gets this function as source: it
 * uses nothing from outside.
 */
export function openCopies(
  { fs, path: paths, crypto }: Modules,
  { store, most, mostCopies }: CopiesSetting,
): Copies {
  let used = sizeOfStore();
  let copies = 0;
  let room = most / 2;
  let full: Full = null;

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

  return {
    keep,
    used: () => used,
    checkpoint: () => {
      copies = 0;
      room = most;
    },
    prune: (keeping) => {
      for (const name of fs.readdirSync(store)) {
        if (keeping.has(name)) continue;
        const place = paths.join(store, name);
        const size = sizeOf(place);
        if (remove(place)) used -= size;
      }
    },
    full: () => {
      const told = full;
      full = null;
      return told;
    },
  };
}

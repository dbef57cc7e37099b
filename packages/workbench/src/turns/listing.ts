/** The files of a workspace. Names as git and ripgrep write them, each ended by NUL. */
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

/** What git's index has of a file that is no part of a merge. */
export interface Indexed {
  readonly object: string;
  /** NaN where the times cannot tell whether the file is still that object. */
  readonly mtime: number;
  readonly ctime: number;
  readonly size: number;
}

/**
 * Visits the files of git's index, and answers the names of the others. Runs in the shadow's thread,
 * which gets this function as source: it uses nothing from outside.
 */
export function readListing(
  { index, indexTime, others, sizes }: Listing,
  visit: (path: string, indexed: Indexed | null) => void,
): readonly string[] {
  const textOf = (bytes: Uint8Array) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();

  /**
   * Each entry is "mode object stage TAB name NUL", with a block of numbers after it or without. Read
   * by hand: for a hundred thousand of them a pattern takes half as long as all the rest.
   */
  function readIndex(text: string): void {
    const objectSizes = sizes && new Map(sizesIn(textOf(sizes)));
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
  function sizesIn(text: string): readonly (readonly [string, number])[] {
    return text.split("\n").map((line) => {
      const [object = "", , size] = line.split(" ");
      return [object, Number(size)] as const;
    });
  }

  if (index) readIndex(textOf(index));
  const names = textOf(others).split("\0");
  return names.filter((name) => name !== "" && !name.endsWith("/"));
}

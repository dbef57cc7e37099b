import type { Uri } from "@lockstep/protocol";
import * as z from "zod/mini";
import { call } from "./call.js";
import { count, id, nothing, uri } from "./shapes.js";

export type GitState = "modified" | "added" | "untracked" | "deleted" | "renamed" | "conflicted";

/** One row of the tree. Short names: a folder may have a hundred thousand of them. */
export interface FileEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "other";
  /** Of a folder: the strongest state below it. */
  readonly git?: GitState;
  /** Git ignores it: shown faintly. */
  readonly ignored?: true;
  /** It is a symbolic link. */
  readonly link?: true;
}

/** A file that quick open found, the best first. */
export interface FoundFile {
  readonly uri: Uri;
  /** From the workspace on, with slashes. */
  readonly path: string;
  /** Indexes into `path` that the query matched. */
  readonly matched: readonly number[];
}

const searchQuery = z.object({
  text: z.string().check(z.minLength(1), z.maxLength(10_000)),
  regex: z.boolean(),
  caseSensitive: z.boolean(),
  wholeWord: z.boolean(),
  /** Globs, separated by commas; "" for all. */
  include: z.string().check(z.maxLength(2_000)),
  exclude: z.string().check(z.maxLength(2_000)),
});
export type SearchQuery = z.infer<typeof searchQuery>;

/** A line with matches; columns are UTF-16 and count from the start of `text`. */
export interface SearchLine {
  /** 0-based. */
  readonly line: number;
  /** The line, or of a very long one a part around the matches. */
  readonly text: string;
  /** Of a part: how many characters of the line are before it. */
  readonly offset?: number;
  readonly matches: readonly { readonly from: number; readonly to: number }[];
}

export interface SearchFile {
  readonly uri: Uri;
  readonly path: string;
  readonly lines: readonly SearchLine[];
}

export interface SearchEnd {
  readonly files: number;
  readonly matches: number;
  /** There are more than are shown. */
  readonly cut: boolean;
}

export const fileCalls = {
  /** Folders first, then by name. Fails if it cannot be read. */
  "files.list": call<readonly FileEntry[]>()(z.object({ uri })),
  "files.find": call<readonly FoundFile[]>()(
    z.object({ query: z.string().check(z.maxLength(1_000)), limit: count }),
  ),
  /** Fails if the name is taken; nothing is ever overwritten. */
  "files.create": call<void>()(z.object({ uri, kind: z.enum(["file", "folder"]) })),
  "files.rename": call<void>()(z.object({ from: uri, to: uri })),
  /** Into Lockstep's own trash, so that it can be undone. */
  "files.delete": call<void>()(z.object({ uris: z.array(uri).check(z.maxLength(10_000)) })),
  /** Takes back the last create, rename, delete, or replacement in files; answers what it took back, null for nothing. */
  "files.undo": call<string | null>()(nothing),
  /** The person came back to the window. Does something only where changes cannot be watched. */
  "files.lookAgain": call<void>()(nothing),
  /** Results come as `search.results`, until the answer. A new search with the same id ends it. */
  "search.run": call<SearchEnd>()(z.object({ id, query: searchQuery })),
  "search.stop": call<void>()(z.object({ id })),
  /** In the given files: open documents are edited and stay unsaved, others are rewritten. */
  "search.replace": call<{ readonly files: number; readonly matches: number }>()(
    z.object({
      query: searchQuery,
      replacement: z.string().check(z.maxLength(100_000)),
      uris: z.array(uri).check(z.maxLength(100_000)),
    }),
  ),
};

export interface FileEvents {
  /** These folders' lists have changed; those that are shown should be asked for again. */
  "files.changed": { readonly folders: readonly Uri[] };
  "search.results": { readonly id: string; readonly files: readonly SearchFile[] };
}

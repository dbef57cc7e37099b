import type { FileEntry } from "@lockstep/workbench/contract";
import { joinPath } from "./paths.js";
import { type Folder, folderAt, isExpanded } from "./tree-model.js";

/** A name that is being typed: of something new in a folder, or of what is at a path. */
export type Naming =
  | { readonly kind: "new"; readonly folder: string; readonly what: "file" | "folder" }
  | { readonly kind: "rename"; readonly path: string };

export type TreeRow =
  | {
      readonly kind: "entry";
      readonly path: string;
      readonly entry: FileEntry;
      readonly depth: number;
      /** A folder above it is ignored, too. */
      readonly ignored: boolean;
      readonly isRoot: boolean;
      /** 1-based, in its folder. */
      readonly position: number;
      readonly siblings: number;
    }
  /** A line of its own in an expanded folder: why there is nothing to see. */
  | { readonly kind: "note"; readonly path: string; readonly text: string; readonly depth: number }
  | {
      readonly kind: "new";
      readonly naming: Extract<Naming, { kind: "new" }>;
      readonly depth: number;
    };

interface Root {
  readonly path: string;
  readonly name: string;
}

/** All rows of the tree from top to bottom, as the folders are expanded now. */
export function treeRows(roots: readonly Root[], naming: Naming | null): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (path: string, depth: number, ignored: boolean) => {
    if (naming?.kind === "new" && naming.folder === path) rows.push({ kind: "new", naming, depth });
    const folder = folderAt(path);
    const note = noteOf(folder, depth);
    if (note !== null) rows.push({ kind: "note", path, text: note, depth });
    const entries = folder?.entries ?? [];
    const siblings = entries.length;
    for (let index = 0; index < siblings; index++) {
      const entry = entries[index];
      if (!entry) continue;
      const below = joinPath(path, entry.name);
      const faint = ignored || entry.ignored === true;
      rows.push({
        kind: "entry",
        path: below,
        entry,
        depth,
        ignored: faint,
        isRoot: false,
        position: index + 1,
        siblings,
      });
      if (entry.kind === "folder" && isExpanded(below)) add(below, depth + 1, faint);
    }
  };
  const [only] = roots;
  if (roots.length === 1 && only) add(only.path, 0, false);
  else {
    roots.forEach(({ path, name }, index) => {
      const entry: FileEntry = { name, kind: "folder" };
      const place = { position: index + 1, siblings: roots.length };
      rows.push({ kind: "entry", path, entry, depth: 0, ignored: false, isRoot: true, ...place });
      if (isExpanded(path)) add(path, 1, false);
    });
  }
  return rows;
}

/** The whole tree's own states are shown larger than a row. */
function noteOf(folder: Folder | undefined, depth: number): string | null {
  if (folder?.problem) return folder.problem;
  if (!folder?.entries) return depth > 0 ? "Loading…" : null;
  return folder.entries.length === 0 && depth > 0 ? "Empty" : null;
}

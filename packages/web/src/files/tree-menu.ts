import { isMac } from "../commands.js";
import type { MenuItem } from "../design/index.js";
import { copyText, deleteAt, mentionAt, openAt, relativePath } from "./file-actions.js";
import type { TreeRow } from "./tree-rows.js";

export interface TreeMenuActions {
  /** In the folder, or beside the file. */
  readonly create: (what: "file" | "folder") => void;
  readonly rename: () => void;
  readonly searchIn: (path: string) => void;
}

/** What can be done with a row; with none, in the workspace's own folder. */
export function treeMenu(
  row: Extract<TreeRow, { kind: "entry" }> | null,
  { create, rename, searchIn }: TreeMenuActions,
): readonly MenuItem[] {
  const making: readonly MenuItem[] = [
    { label: "New file…", icon: "new-file", run: () => create("file") },
    { label: "New folder…", icon: "new-folder", run: () => create("folder") },
  ];
  if (!row) return making;
  const { path, entry, isRoot } = row;
  const isFolder = entry.kind === "folder";
  const opening: readonly MenuItem[] = isFolder
    ? [{ label: "Search in folder…", icon: "search", run: () => searchIn(relativePath(path)) }]
    : [{ label: "Open", icon: "file", keys: "Enter", run: () => void openAt(path, false) }];
  const changing: readonly MenuItem[] = [
    { kind: "line" },
    { label: "Rename…", icon: "edit", keys: "F2", run: rename },
    {
      label: "Delete",
      icon: "trash",
      keys: isMac ? "⌫" : "Delete",
      danger: true,
      run: () => void deleteAt(path),
    },
  ];
  return [
    ...opening,
    { label: "Mention to agent", icon: "mention", run: () => void mentionAt(path) },
    { kind: "line" },
    ...making,
    { kind: "line" },
    { label: "Copy path", icon: "copy", run: () => void copyText(path, "the path") },
    {
      label: "Copy relative path",
      run: () => void copyText(relativePath(path), "the relative path"),
    },
    ...(isRoot ? [] : changing),
  ];
}

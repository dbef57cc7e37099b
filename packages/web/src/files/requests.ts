import { createSignal } from "solid-js";
import { runCommand } from "../commands.js";
import { setQuery } from "./search-state.js";
import type { Naming } from "./tree-rows.js";

/** What commands and menus ask of views that may not be shown yet. */

const [naming, setNaming] = createSignal<Naming | null>(null);

/** The name that is being typed in the tree. */
export { naming, setNaming };

let focusTree: (() => void) | null = null;
export const setTreeFocus = (focus: () => void): void => {
  focusTree = focus;
};

/** Shows the tree, and gives it the focus. */
export function showTree(): void {
  runCommand("view.files");
  queueMicrotask(() => focusTree?.());
}

/** Shows the search, limited to a folder. */
export function searchInFolder(path: string): void {
  setQuery({ include: path === "" ? "" : `./${path}` });
  runCommand("view.search");
}

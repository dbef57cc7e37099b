import { isMac } from "../commands.js";
import type { TreeRow } from "./tree-rows.js";

export interface TreeActions {
  readonly rows: () => readonly TreeRow[];
  /** The index of the current row; -1 for none. */
  readonly current: () => number;
  readonly go: (index: number) => void;
  readonly page: () => number;
  readonly isExpanded: (path: string) => boolean;
  readonly expand: (path: string) => void;
  readonly collapse: (path: string) => void;
  readonly open: (path: string, preview: boolean) => void;
  readonly rename: () => void;
  readonly remove: (path: string) => void;
  readonly undo: () => void;
  readonly menu: () => void;
}

/** Letters that follow each other within this time are one search. */
const TYPING_MS = 700;

/** The keys of a tree, as screen readers' users know them. */
export function treeKeys(actions: TreeActions): (event: KeyboardEvent) => void {
  let typed = "";
  let typedAt = 0;
  const entryAt = (index: number) => {
    const row = actions.rows()[index];
    return row?.kind === "entry" ? row : null;
  };
  const goTo = (index: number, step: 1 | -1) => {
    const last = actions.rows().length - 1;
    for (let at = Math.max(0, Math.min(last, index)); at >= 0 && at <= last; at += step) {
      if (entryAt(at)) return actions.go(at);
    }
  };
  const jump = (letter: string) => {
    const now = performance.now();
    typed = now - typedAt > TYPING_MS ? letter : typed + letter;
    typedAt = now;
    const rows = actions.rows();
    const from = typed.length === 1 ? actions.current() + 1 : Math.max(0, actions.current());
    for (let step = 0; step < rows.length; step++) {
      const index = (from + step) % rows.length;
      if (entryAt(index)?.entry.name.toLowerCase().startsWith(typed)) return actions.go(index);
    }
  };
  const right = () => {
    const row = entryAt(actions.current());
    if (row?.entry.kind !== "folder") return;
    if (!actions.isExpanded(row.path)) actions.expand(row.path);
    else if ((actions.rows()[actions.current() + 1] as { depth: number }).depth > row.depth) {
      goTo(actions.current() + 1, 1);
    }
  };
  const left = () => {
    const row = entryAt(actions.current());
    if (!row) return;
    if (row.entry.kind === "folder" && actions.isExpanded(row.path)) {
      return actions.collapse(row.path);
    }
    for (let at = actions.current() - 1; at >= 0; at--) {
      const above = entryAt(at);
      if (above && above.depth < row.depth) return actions.go(at);
    }
  };
  const act = (preview: boolean) => {
    const row = entryAt(actions.current());
    if (!row) return;
    if (row.entry.kind !== "folder") actions.open(row.path, preview);
    else if (actions.isExpanded(row.path)) actions.collapse(row.path);
    else actions.expand(row.path);
  };
  const remove = () => {
    const row = entryAt(actions.current());
    if (row && !row.isRoot) actions.remove(row.path);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => goTo(actions.current() + 1, 1),
    ArrowUp: () => goTo(actions.current() - 1, -1),
    ArrowRight: right,
    ArrowLeft: left,
    Home: () => goTo(0, 1),
    End: () => goTo(actions.rows().length - 1, -1),
    PageDown: () => goTo(actions.current() + actions.page(), 1),
    PageUp: () => goTo(actions.current() - actions.page(), -1),
    Enter: () => act(false),
    " ": () => act(true),
    F2: actions.rename,
    Delete: remove,
    ContextMenu: actions.menu,
    ...(isMac ? { Backspace: remove } : {}),
  };
  return (event) => {
    const { key } = event;
    const mod = isMac ? event.metaKey : event.ctrlKey;
    if (mod && key.toLowerCase() === "z" && !event.shiftKey) actions.undo();
    else if (event.shiftKey && key === "F10") actions.menu();
    else if (mod || event.altKey) return;
    else if (typed !== "" && key === " " && performance.now() - typedAt < TYPING_MS) jump(" ");
    else if (keys[key]) keys[key]();
    else if (key.length === 1) jump(key.toLowerCase());
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

import "./files.css";
import { filePath } from "@lockstep/protocol";
import { createEffect, createMemo, createSignal, Index, on, onMount, Show } from "solid-js";
import { runCommand } from "../commands.js";
import { Button, EmptyState, IconButton, Menu, SidebarHead } from "../design/index.js";
import { state } from "../replica/state.js";
import { view } from "../replica/view.js";
import { createAt, deleteAt, openAt, renameTo, undoFileOperation } from "./file-actions.js";
import { joinPath, parentPath } from "./paths.js";
import { naming, searchInFolder, setNaming, setTreeFocus } from "./requests.js";
import { treeKeys } from "./tree-keys.js";
import { treeMenu } from "./tree-menu.js";
import {
  collapse,
  collapseAll,
  expand,
  expandTo,
  folderAt,
  isExpanded,
  loadShown,
  roots,
  treeVersion,
} from "./tree-model.js";
import { rowId, TreeRowView } from "./tree-row.js";
import { type TreeRow, treeRows } from "./tree-rows.js";
import { createVirtualRows } from "./virtual-rows.js";

/** The files of the workspace. Only the rows that can be seen are in the page. */
export function FileTree() {
  const [currentPath, setCurrentPath] = createSignal<string | null>(null);
  const [menuAt, setMenuAt] = createSignal<{ x: number; y: number; row: EntryRow | null } | null>(
    null,
  );
  let scroller: HTMLDivElement | undefined;
  const rows = createMemo(() => {
    treeVersion();
    return treeRows(roots(), naming());
  });
  const indexOf = (path: string | null) =>
    path === null ? -1 : rows().findIndex((row) => row.kind === "entry" && row.path === path);
  const current = createMemo(() => indexOf(currentPath()));
  const virtual = createVirtualRows(rows);
  const activePath = () => {
    const shown = view();
    return shown.kind === "document" ? filePath(shown.uri) : null;
  };
  const entryAt = (index: number): EntryRow | null => {
    const row = rows()[index];
    return row?.kind === "entry" ? row : null;
  };
  const go = (index: number) => {
    const row = entryAt(index);
    if (!row) return;
    setCurrentPath(row.path);
    virtual.reveal(index);
  };
  const focus = () => scroller?.focus();
  setTreeFocus(focus);

  /** Where something new goes: into the current folder, or beside the current file. */
  const create = (what: "file" | "folder") => {
    const row = entryAt(current());
    const first = roots()[0]?.path;
    const folder = row ? (row.entry.kind === "folder" ? row.path : parentPath(row.path)) : first;
    if (folder === undefined) return;
    void expand(folder);
    setNaming({ kind: "new", folder, what });
    virtual.reveal(rows().findIndex(({ kind }) => kind === "new"));
  };
  const rename = () => {
    const row = entryAt(current());
    if (row && !row.isRoot) setNaming({ kind: "rename", path: row.path });
  };
  const onName = async (name: string) => {
    const asked = naming();
    if (!asked) return;
    if (asked.kind === "new") {
      const path = joinPath(asked.folder, name);
      await createAt(path, asked.what);
      await reveal(path);
    } else {
      const to = joinPath(parentPath(asked.path), name);
      await renameTo(asked.path, to);
      setCurrentPath(to);
    }
    const at = document.activeElement;
    const isElsewhere = at !== document.body && !scroller?.contains(at);
    setNaming(null);
    // Whoever has gone elsewhere while it was done stays there.
    if (isElsewhere) return;
    if (asked.kind === "new" && asked.what === "file") runCommand("focus.middle");
    else focus();
  };
  const cancelName = () => {
    setNaming(null);
    focus();
  };
  const reveal = async (path: string) => {
    if (!(await expandTo(path))) return;
    setCurrentPath(path);
    virtual.reveal(indexOf(path));
  };
  const openMenu = (row: EntryRow | null, at: { x: number; y: number }) => {
    if (row) setCurrentPath(row.path);
    setMenuAt({ ...at, row });
  };

  const onKey = treeKeys({
    rows,
    current,
    go,
    page: virtual.page,
    isExpanded,
    expand: (path) => void expand(path),
    collapse,
    open: (path, preview) => void openAt(path, preview),
    rename,
    remove: (path) => {
      const next = entryAt(current() + 1) ?? entryAt(current() - 1);
      setCurrentPath(next?.path ?? null);
      void deleteAt(path);
    },
    undo: () => void undoFileOperation(),
    menu: () => {
      const box = document.getElementById(rowId(current()))?.getBoundingClientRect();
      if (box) openMenu(entryAt(current()), { x: box.left + 40, y: box.bottom });
    },
  });
  const rowOf = (event: Event): EntryRow | null => {
    const element = event.target instanceof Element ? event.target.closest("[data-index]") : null;
    return element ? entryAt(Number(element.getAttribute("data-index"))) : null;
  };
  const onClick = (event: MouseEvent) => {
    const row = rowOf(event);
    if (!row) return;
    setCurrentPath(row.path);
    if (row.entry.kind !== "folder") void openAt(row.path, true);
    else if (isExpanded(row.path)) collapse(row.path);
    else void expand(row.path);
  };

  onMount(() => {
    loadShown();
    if (scroller) virtual.attach(scroller);
  });
  createEffect(
    on(activePath, (path) => {
      if (path !== null && path !== currentPath()) void reveal(path);
    }),
  );
  createEffect(
    on(roots, (folders) => {
      if (folders.length > 1) for (const { path } of folders) void expand(path);
    }),
  );

  const isVisible = () => virtual.visible().some(({ index }) => index === current());
  const root = () => {
    treeVersion();
    const [only] = roots();
    return roots().length === 1 && only ? folderAt(only.path) : undefined;
  };
  const isEmpty = () => root()?.entries?.length === 0 && naming() === null;
  return (
    <section class="files" aria-label="Files">
      <SidebarHead title={state().workspace.name}>
        <IconButton icon="new-file" label="New file" size="s" onClick={() => create("file")} />
        <IconButton
          icon="new-folder"
          label="New folder"
          size="s"
          onClick={() => create("folder")}
        />
        <IconButton icon="collapse" label="Collapse all" size="s" onClick={collapseAll} />
      </SidebarHead>
      <Show when={isEmpty()}>
        <div class="files-empty">
          <EmptyState
            icon="folder"
            title="This folder is empty"
            actions={<Button onClick={() => create("file")}>New file</Button>}
          >
            Make a file, or let an agent make it.
          </EmptyState>
        </div>
      </Show>
      <div
        ref={scroller}
        class="files-tree"
        classList={{ "files-gone": isEmpty() }}
        role="tree"
        tabIndex="0"
        data-region-focus
        aria-label="Files"
        aria-activedescendant={isVisible() ? rowId(current()) : undefined}
        onKeyDown={onKey}
        onClick={onClick}
        onDblClick={(event) => {
          const row = rowOf(event);
          if (row && row.entry.kind !== "folder") void openAt(row.path, false);
        }}
        onContextMenu={(event) => {
          event.preventDefault();
          openMenu(rowOf(event), { x: event.clientX, y: event.clientY });
        }}
        onFocus={() => {
          // One that has just been renamed may not be in the list yet.
          if (currentPath() === null) go(rows().findIndex(({ kind }) => kind === "entry"));
        }}
      >
        <div class="files-rows" role="none" style={{ height: `${virtual.height()}px` }}>
          <Index each={virtual.visible()}>
            {(shown) => (
              <TreeRowView
                row={shown().row}
                index={shown().index}
                top={shown().index * virtual.rowHeight()}
                isCurrent={shown().index === current()}
                isActive={pathOf(shown().row) === activePath()}
                isExpanded={expandedNow(shown().row)}
                isNaming={isNamed(shown().row)}
                onName={onName}
                onCancel={cancelName}
              />
            )}
          </Index>
        </div>
      </div>
      <Show when={menuAt()} keyed>
        {(at) => (
          <Menu
            label={at.row ? `Actions for ${at.row.entry.name}` : "Actions"}
            at={at}
            items={treeMenu(at.row, { create, rename, searchIn: searchInFolder })}
            onClose={() => setMenuAt(null)}
          />
        )}
      </Show>
    </section>
  );
}

type EntryRow = Extract<TreeRow, { kind: "entry" }>;

const pathOf = (row: TreeRow) => (row.kind === "entry" ? row.path : null);

function expandedNow(row: TreeRow): boolean {
  treeVersion();
  return row.kind === "entry" && isExpanded(row.path);
}

function isNamed(row: TreeRow): boolean {
  const asked = naming();
  return asked?.kind === "rename" && asked.path === pathOf(row);
}

import { filePath, fileUri } from "@lockstep/protocol";
import type { FileEntry } from "@lockstep/workbench/contract";
import { createSignal } from "solid-js";
import { call, on, onLink, tell } from "../replica/link.js";
import { replica } from "../replica/state.js";
import { isInside, parentPath } from "./paths.js";

/** What is known of a folder's list. */
export interface Folder {
  readonly entries: readonly FileEntry[] | null;
  /** Why it cannot be shown, as a sentence. */
  readonly problem: string | null;
}

const KEY = "lockstep.tree";
/** A folder that changes all the time is asked for again after so many times what it took. */
const REST = 4;

const expanded = new Set<string>(readExpanded());
const folders = new Map<string, Folder>();
const loading = new Map<string, Promise<void>>();
const stale = new Set<string>();

/** The folders are plain data: with a hundred thousand entries, a signal for each would be too much. */
const [version, setVersion] = createSignal(0);

export { version as treeVersion };

export const folderAt = (path: string): Folder | undefined => folders.get(path);
export const isExpanded = (path: string): boolean => expanded.has(path);

export async function expand(path: string): Promise<void> {
  if (!expanded.has(path)) {
    expanded.add(path);
    keepExpanded();
    changed();
  }
  await load(path);
}

export function collapse(path: string): void {
  if (!expanded.delete(path)) return;
  keepExpanded();
  changed();
}

export function collapseAll(): void {
  expanded.clear();
  keepExpanded();
  changed();
}

/** Expands all folders above it; false if it is not in the workspace. */
export async function expandTo(path: string): Promise<boolean> {
  const root = roots().find((folder) => isInside(folder.path, path));
  if (!root) return false;
  const above: string[] = [];
  for (let at = parentPath(path); isInside(root.path, at); at = parentPath(at)) {
    above.unshift(at);
    if (at === root.path) break;
  }
  for (const folder of above) await expand(folder);
  return true;
}

export const roots = () => replica()?.workspace.folders ?? [];

/** Fetches the list if it is not there. */
function load(path: string): Promise<void> {
  const known = folders.get(path);
  if (known?.entries && !stale.has(path)) return Promise.resolve();
  return reload(path);
}

/** One at a time for each folder; what changes meanwhile is fetched once more. */
function reload(path: string): Promise<void> {
  const running = loading.get(path);
  if (running) {
    stale.add(path);
    return running;
  }
  const started = performance.now();
  stale.delete(path);
  const fetching = fetchList(path).then(() => {
    const again = () => {
      loading.delete(path);
      if (stale.has(path) && isShown(path)) void reload(path);
    };
    setTimeout(again, (performance.now() - started) * REST);
  });
  loading.set(path, fetching);
  return fetching;
}

async function fetchList(path: string): Promise<void> {
  try {
    const entries = await call("files.list", { uri: fileUri(path) });
    folders.set(path, { entries, problem: null });
  } catch (problem) {
    const text = problem instanceof Error ? problem.message : String(problem);
    // A list that was there once is better than none while there is no link.
    folders.set(path, { entries: folders.get(path)?.entries ?? null, problem: text });
  }
  changed();
}

const isShown = (path: string) => expanded.has(path) || roots().some((root) => root.path === path);

function changed(): void {
  setVersion((number) => number + 1);
}

on("files.changed", ({ folders: uris }) => {
  for (const uri of uris) {
    const path = filePath(uri);
    if (path === null || !folders.has(path)) continue;
    if (isShown(path)) void reload(path);
    else stale.add(path);
  }
});

onLink(async () => {
  for (const path of folders.keys()) {
    if (isShown(path)) void reload(path);
    else stale.add(path);
  }
});

window.addEventListener("focus", () => tell("files.lookAgain", {}));

function readExpanded(): readonly string[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

function keepExpanded(): void {
  sessionStorage.setItem(KEY, JSON.stringify([...expanded].slice(-1_000)));
}

/** The tree is shown: the lists it needs are fetched. */
export function loadShown(): void {
  for (const { path } of roots()) void load(path);
  for (const path of expanded)
    if (roots().some((root) => isInside(root.path, path))) void load(path);
}

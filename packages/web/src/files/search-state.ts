import type { Uri } from "@lockstep/protocol";
import type { SearchEnd, SearchFile, SearchQuery } from "@lockstep/workbench/contract";
import { createSignal } from "solid-js";
import { call, on, tell } from "../replica/link.js";
import { folded } from "./file-head.js";
import { matchesIn } from "./search-rows.js";

/** How a search stands. It goes on while another view is in the sidebar. */
export type SearchStatus =
  | { readonly kind: "idle" }
  | { readonly kind: "running" }
  | { readonly kind: "done"; readonly end: SearchEnd }
  | { readonly kind: "failed"; readonly why: string };

/** A pause in typing after which the search begins by itself. */
const PAUSE_MS = 200;

const [query, setQueryNow] = createSignal<SearchQuery>({
  text: "",
  regex: false,
  caseSensitive: false,
  wholeWord: false,
  include: "",
  exclude: "",
});
const [replacement, setReplacement] = createSignal("");
const [status, setStatus] = createSignal<SearchStatus>({ kind: "idle" });
const [found, setFound] = createSignal<readonly SearchFile[]>([]);
const [closed, setClosed] = createSignal<ReadonlySet<Uri>>(new Set());

export { closed, found, query, replacement, setReplacement, status };

export const matchCount = (): number => found().reduce((count, file) => count + matchesIn(file), 0);

/** The search whose results are shown; long ones come by HTTP, and may be later than its answer. */
let shown: string | null = null;
let isRunning = false;
/** The next results take the place of those of the search before. */
let isFresh = false;
let count = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Changes the query; the search follows after a pause. */
export function setQuery(change: Partial<SearchQuery>): void {
  setQueryNow((now) => ({ ...now, ...change }));
  clearTimeout(timer);
  timer = setTimeout(() => void search(), PAUSE_MS);
}

/** Few words that are selected are what the person looks for. */
export function searchSelection(): void {
  const selected = getSelection()?.toString() ?? "";
  const isFew = selected.trim() !== "" && selected.length < 200 && !selected.includes("\n");
  if (isFew) setQuery({ text: selected });
}

/** Searches now. */
export async function search(): Promise<void> {
  clearTimeout(timer);
  stop();
  if (query().text === "") {
    shown = null;
    setFound([]);
    return void setStatus({ kind: "idle" });
  }
  const id = `search-${++count}`;
  shown = id;
  isRunning = true;
  // What was found before stays in sight until something new comes: the page does not flicker.
  isFresh = true;
  setStatus({ kind: "running" });
  try {
    const end = await call("search.run", { id, query: query() });
    if (shown !== id) return;
    if (end.files === 0) setFound([]);
    setStatus({ kind: "done", end });
  } catch (problem) {
    if (shown !== id) return;
    setFound([]);
    const why = problem instanceof Error ? problem.message : String(problem);
    setStatus({ kind: "failed", why });
  } finally {
    if (shown === id) isRunning = false;
  }
}

/** What was found stays. */
export function stop(): void {
  if (isRunning && shown !== null) tell("search.stop", { id: shown });
}

on("search.results", ({ id, files }) => {
  if (id !== shown) return;
  // ripgrep finds them in any order, by several threads.
  setFound((before) => [...(isFresh ? [] : before), ...files].sort(byPath));
  isFresh = false;
});

const byPath = (a: SearchFile, b: SearchFile) => (a.path < b.path ? -1 : 1);

export const toggleClosed = (uri: Uri): void => void setClosed((all) => folded(all, uri));

export function closeAll(close: boolean): void {
  setClosed(new Set(close ? found().map(({ uri }) => uri) : []));
}

/** Takes a file out of the results, so that it is not replaced in. */
export function dismiss(uri: Uri): void {
  setFound((all) => all.filter((file) => file.uri !== uri));
}

import type { Uri } from "@lockstep/protocol";
import { createSignal } from "solid-js";
import { state } from "../replica/state.js";

const KEY = "lockstep.notebooks-as-text";

/** Kept over a reload of this window. */
const [asText, setAsText] = createSignal<ReadonlySet<string>>(new Set(kept()));

function kept(): readonly string[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? list.map(String) : [];
  } catch {
    return [];
  }
}

/** Whether this window shows the notebook's JSON instead of its cells, because the person wants it so. */
export const isShownAsText = (uri: Uri): boolean => asText().has(uri);

export function showAsText(uri: Uri, wanted: boolean): void {
  const next = new Set(asText());
  if (wanted) next.add(uri);
  else next.delete(uri);
  setAsText(next);
  sessionStorage.setItem(KEY, JSON.stringify([...next]));
}

/** Whether a document is to be shown as cells. */
export function isShownAsCells(uri: Uri): boolean {
  const notebook = state().notebooks[uri];
  return notebook !== undefined && notebook.problem === null && !isShownAsText(uri);
}

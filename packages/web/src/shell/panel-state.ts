import { createSignal } from "solid-js";

/** What the panel below the middle can show. */
export type PanelName = "terminal" | "problems" | "places";

const KEY = "lockstep.panel";
const NAMES: readonly string[] = ["terminal", "problems"] satisfies readonly PanelName[];

const stored = sessionStorage.getItem(KEY) ?? "";
const [shown, setShown] = createSignal<PanelName | null>(
  NAMES.includes(stored) ? (stored as PanelName) : null,
);

/** What this window's panel shows; null while it is closed. Stays so over a reload. */
export const shownPanel = shown;

export function showPanel(name: PanelName | null): void {
  sessionStorage.setItem(KEY, name ?? "");
  setShown(name);
}

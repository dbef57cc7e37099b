import { type Tab, tabs } from "./tab-list.js";

/** What a tab says. */
export function tabLabel(tab: Tab): string {
  if (tab.kind === "settings") return "Settings";
  return tab.info?.label ?? decodeURIComponent(tab.key.slice(tab.key.lastIndexOf("/") + 1));
}

/** Its accessible name: what is seen, and what only shows. */
export function tabName(tab: Tab): string {
  if (tab.kind === "review") return `${tabLabel(tab)} ${tabAside(tab)}, review`;
  const dirty = tab.kind === "document" && tab.info?.dirty;
  const name = [tabLabel(tab), tabAside(tab)].filter(Boolean).join(" ");
  return dirty ? `${name}, unsaved` : name;
}

/** Beside the name, faintly: who proposes it, or the folder where two tabs have one name. */
export function tabAside(tab: Tab): string | null {
  if (tab.kind === "settings" || !tab.info) return null;
  if (tab.kind === "review") return tab.info.kind === "merge" ? "merge" : tab.info.agent.name;
  const isNamesake = (other: Tab) =>
    other.kind === "document" && other.key !== tab.key && tabLabel(other) === tabLabel(tab);
  return tabs().some(isNamesake) ? tab.info.place : null;
}

export function tabHint(tab: Tab): string | undefined {
  if (tab.kind === "settings" || !tab.info) return undefined;
  const path = [tab.info.place, tab.info.label].filter(Boolean).join("/");
  if (tab.kind === "document") return path;
  return tab.info.kind === "merge" ? `Merge of ${path}` : `${tab.info.agent.name}: ${path}`;
}

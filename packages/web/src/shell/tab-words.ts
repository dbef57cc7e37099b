import { markOfDocument } from "../problems/counts.js";
import { markWords } from "../problems/marks.js";
import { type Tab, tabs } from "./tab-list.js";

type ReviewTab = Extract<Tab, { readonly kind: "review" }>;

/** What is known of its file's name; nothing until the workbench has told it. */
function fileOf(tab: Tab): { readonly label: string; readonly place: string } | undefined {
  if (tab.kind === "settings") return undefined;
  return tab.kind === "document" ? (tab.info ?? tab.unshown) : tab.info;
}

/** What a tab says. */
export function tabLabel(tab: Tab): string {
  if (tab.kind === "settings") return "Settings";
  return fileOf(tab)?.label ?? decodeURIComponent(tab.key.slice(tab.key.lastIndexOf("/") + 1));
}

/** Its accessible name: what is seen, and what only shows. */
export function tabName(tab: Tab): string {
  if (tab.kind === "review") return `${tabLabel(tab)} ${tabAside(tab)}, review`;
  if (tab.kind === "turn") return `${tabLabel(tab)}, turn`;
  const dirty = tab.kind === "document" && tab.info?.dirty;
  const mark = tab.kind === "document" ? markOfDocument(tab.uri) : null;
  const name = [tabLabel(tab), tabAside(tab)].filter(Boolean).join(" ");
  return [name, dirty && "unsaved", mark && markWords(mark)].filter(Boolean).join(", ");
}

/** Beside the name, faintly: who proposes it, and what tells it from another tab of the same name. */
export function tabAside(tab: Tab): string | null {
  const file = fileOf(tab);
  if (!file) return null;
  const namesakes = tabs().filter(
    (other) => other.kind === tab.kind && tabLabel(other) === tabLabel(tab),
  );
  const isElsewhere = namesakes.some((other) => fileOf(other)?.place !== file.place);
  if (tab.kind === "turn") return "turn";
  if (tab.kind !== "review") return isElsewhere ? file.place : null;
  const place = isElsewhere ? [file.place] : [];
  return [numbered(tab, namesakes), ...place].filter(Boolean).join(" · ");
}

/** Two proposals of one agent for one file are told apart by the order in which they came. */
function numbered(tab: ReviewTab, namesakes: readonly Tab[]): string {
  const name = proposer(tab);
  const equal = namesakes.filter(
    (other): other is ReviewTab =>
      other.kind === "review" && proposer(other) === name && other.info.uri === tab.info.uri,
  );
  const at = equal.findIndex(({ key }) => key === tab.key);
  return equal.length > 1 ? `${name} (${at + 1})` : name;
}

const proposer = ({ info }: ReviewTab): string =>
  info.kind === "merge" ? "merge" : info.agent.name;

export function tabHint(tab: Tab): string | undefined {
  const file = fileOf(tab);
  if (!file) return undefined;
  const path = [file.place, file.label].filter(Boolean).join("/");
  if (tab.kind !== "review") return path;
  return tab.info.kind === "merge" ? `Merge of ${path}` : `${tab.info.agent.name}: ${path}`;
}

import { activeTab, type Tab } from "./tab-list.js";

type DocumentTab = Extract<Tab, { readonly kind: "document" }>;

/** The tab of the document in the middle; undefined where something else is shown. */
export function activeDocument(): DocumentTab | undefined {
  const tab = activeTab();
  return tab?.kind === "document" && !tab.unshown ? tab : undefined;
}

export const hasDocument = (): boolean => activeDocument() !== undefined;

/** Does it with the document in the middle, if there is one. */
export const withDocument = (act: (tab: DocumentTab) => unknown) => (): void => {
  const tab = activeDocument();
  if (tab) void act(tab);
};

import { filePath } from "@lockstep/protocol";
import { keysLabel } from "../commands.js";
import { type MenuItem, showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { closeTab } from "./close-tab.js";
import { saveDocument } from "./save.js";
import { type Tab, tabs } from "./tab-list.js";

/** What can be done with a tab. Waiting proposals are never closed along with others. */
export function tabMenu(tab: Tab): readonly MenuItem[] {
  const others = tabs().filter((other) => other.key !== tab.key && other.kind !== "review");
  const closing: readonly MenuItem[] = [
    { label: "Close", icon: "close", keys: keysLabel("Alt+KeyW"), run: () => void closeTab(tab) },
    { label: "Close others", disabled: others.length === 0, run: () => void closeTabs(others) },
  ];
  if (tab.kind !== "document") return closing;
  const { uri, preview, info } = tab;
  const path = filePath(uri);
  return [
    ...closing,
    { kind: "line" },
    {
      label: "Save",
      keys: keysLabel("Mod+KeyS"),
      disabled: !info?.dirty,
      run: () => void saveDocument(uri),
    },
    {
      label: "Keep open",
      disabled: !preview,
      run: () => void call("tab.keep", { uri }).catch(showProblem),
    },
    {
      label: "Copy path",
      icon: "copy",
      disabled: path === null,
      run: () => void navigator.clipboard.writeText(path ?? ""),
    },
  ];
}

/** One after the other: each may ask a question, and turning away from one ends it. */
export async function closeTabs(all: readonly Tab[]): Promise<void> {
  for (const tab of all) if (!(await closeTab(tab))) return;
}

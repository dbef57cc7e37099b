import { filePath } from "@lockstep/protocol";
import { addCommands } from "../commands.js";
import { replica } from "../replica/state.js";
import { view } from "../replica/view.js";
import { showSidebar } from "../shell/layout.js";
import { focusElement } from "../shell/regions.js";
import { copyText, relativePath, undoFileOperation } from "./file-actions.js";
import { showQuickOpen } from "./quick-open.js";
import { setNaming, showTree } from "./requests.js";
import { searchSelection } from "./search-state.js";
import { collapseAll, expand, roots } from "./tree-model.js";

const shownPath = () => {
  const shown = view();
  return shown.kind === "document" ? filePath(shown.uri) : null;
};

function startNew(what: "file" | "folder"): void {
  const folder = roots()[0]?.path;
  if (folder === undefined) return;
  showTree();
  void expand(folder);
  queueMicrotask(() => setNaming({ kind: "new", folder, what }));
}

/** With what is selected in the text; what was looked for before is ready to be typed over. */
function showSearch(): void {
  searchSelection();
  showSidebar("search");
  const field = ".search [data-region-focus]";
  focusElement(field);
  // One that is still on its way selects its text itself.
  document.querySelector<HTMLInputElement>(field)?.select();
}

addCommands([
  { id: "view.search", title: "View: Search", keys: ["Mod+Shift+KeyF"], run: showSearch },
  { id: "file.quickOpen", title: "File: Go to File…", keys: ["Mod+KeyP"], run: showQuickOpen },
  { id: "files.newFile", title: "Files: New File…", run: () => startNew("file") },
  { id: "files.newFolder", title: "Files: New Folder…", run: () => startNew("folder") },
  {
    id: "files.undo",
    title: "Files: Undo File Operation",
    when: () => (replica()?.fileUndo ?? null) !== null,
    run: undoFileOperation,
  },
  { id: "files.collapseAll", title: "Files: Collapse All Folders", run: collapseAll },
  {
    id: "files.copyPath",
    title: "Files: Copy Path",
    when: () => shownPath() !== null,
    run: () => copyText(shownPath() ?? "", "the path"),
  },
  {
    id: "files.copyRelativePath",
    title: "Files: Copy Relative Path",
    when: () => shownPath() !== null,
    run: () => copyText(relativePath(shownPath() ?? ""), "the relative path"),
  },
]);

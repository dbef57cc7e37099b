import { filePath } from "@lockstep/protocol";
import { addCommands } from "../commands.js";
import { replica } from "../replica/state.js";
import { view } from "../replica/view.js";
import { copyText, relativePath, undoFileOperation } from "./file-actions.js";
import { showQuickOpen } from "./quick-open.js";
import { setNaming, showTree } from "./requests.js";
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

addCommands([
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

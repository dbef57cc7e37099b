import "./file-commands.js";

export { FileTree } from "./file-tree.js";
export { QuickOpen } from "./quick-open.js";
export { SearchPanel } from "./search-panel.js";
export { UnshownFile } from "./unshown-file.js";

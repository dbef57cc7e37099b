import "./editor.css";
import "./editor-commands.js";

export { areEditsComing, hasUnsentEdits } from "./collab.js";
export { EditorPane } from "./pane.js";
export { EditorStatus } from "./status.js";

import "./editor.css";
import "./editor-commands.js";

export { hasUnsentEdits } from "./collab.js";
export { EditorPane } from "./pane.js";
export { EditorStatus } from "./status.js";

import "./notebook.css";
import "./commands.js";

export { NotebookView } from "./notebook-view.js";

import "./terminal.css";
import "./commands.js";

export { TerminalPanel } from "./terminal-panel.js";
export { setTerminalVisible, terminalVisible } from "./visibility.js";

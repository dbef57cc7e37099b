import "./agents.css";
import "../terminal/commands.js";

export { AgentStatus } from "./agent-status.js";
export { AgentsPanel } from "./agents-panel.js";
export { mentionSelection } from "./mention.js";
export { QuestionDialog } from "./question-dialog.js";
export { SharingStatus } from "./sharing-status.js";

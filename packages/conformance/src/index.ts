export type { AgentPatience } from "./agent/agent-under-test.js";
export { AGENT_CHECKS } from "./agent/checks.js";
export { ScriptedIde, type ScriptedIdeOptions } from "./agent/scripted-ide.js";
export { verifyAgent } from "./agent/verify-agent.js";
export type { Check, Result, Verdict } from "./check.js";
export { IDE_CHECKS } from "./ide/checks/index.js";
export type { Decision, IdeSubject } from "./ide/ide-under-test.js";
export { requestUpgrade, type UpgradeReply, type UpgradeRequest } from "./ide/upgrade.js";
export { verifyIde } from "./ide/verify-ide.js";

import { judge, type Result } from "../check.js";
import { type AgentPatience, AgentUnderTest } from "./agent-under-test.js";
import { AGENT_CHECKS } from "./checks.js";
import type { ScriptedIde } from "./scripted-ide.js";

/**
 * Checks the agent that connects to the scripted editor. Start the agent with the editor's
 * `environment` before the first result is asked for, or soon after.
 *
 * @example
 * await using ide = await ScriptedIde.start({ configDir, folder: process.cwd() });
 * spawn("claude", { env: { ...process.env, ...ide.environment } });
 * for await (const { clause, verdict } of verifyAgent(ide)) console.log(clause, verdict.kind);
 */
export async function* verifyAgent(
  ide: ScriptedIde,
  patience: AgentPatience = {},
): AsyncGenerator<Result> {
  const agent = new AgentUnderTest(ide, patience);
  for (const { clause, title, check } of AGENT_CHECKS) {
    const verdict = await judge(() => check(agent));
    // Nothing else can be seen of an agent that is not there.
    if (clause === "C5" && verdict.kind === "fail") ide.lines.end();
    yield { clause, title, verdict };
  }
}

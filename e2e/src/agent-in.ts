import { onTestFinished } from "vitest";
import { Claude, type ClaudeOptions } from "./claude.js";
import { MessagesApi } from "./messages-api.js";
import type { Workspace } from "./workspace.js";

/** The CLI in a workspace, at its prompt, with a model of its own. Both end with the test. */
export async function agentIn(
  workspace: Workspace,
  options: Omit<ClaudeOptions, "workspace" | "api"> = {},
): Promise<{ readonly claude: Claude; readonly api: MessagesApi }> {
  const api = await MessagesApi.start();
  onTestFinished(() => api.stop());
  const claude = await Claude.start({ workspace, api, ...options });
  onTestFinished(() => claude.exit());
  return { claude, api };
}

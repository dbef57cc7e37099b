import { join } from "node:path";
import { homeFolder } from "./home-folder.js";

/** Where who manages a machine says what agents may do on it. */
const MANAGED: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: "/etc/claude-code/managed-settings.json",
  darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
};

/** The agent's settings that hold in every project: the person's own, and the machine's. */
export function settingsEverywhere(
  configDir: string | undefined,
  env: NodeJS.ProcessEnv,
): readonly string[] {
  const own = configDir ?? (env.CLAUDE_CONFIG_DIR || join(homeFolder(), ".claude"));
  const managed = MANAGED[process.platform];
  return [join(own, "settings.json"), ...(managed ? [managed] : [])];
}

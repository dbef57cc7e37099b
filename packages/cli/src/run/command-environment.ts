import { terminalEnvironment } from "@lockstep/server";

/** Would keep the command from the editor that is chosen for it, or send its token elsewhere. */
const CONTRARY = ["CLAUDE_CODE_AUTO_CONNECT_IDE", "CLAUDE_CODE_IDE_HOST_OVERRIDE"];

/** What the command is started with: the editor's port, and loopback spared by every proxy. */
export function commandEnvironment(
  port: number,
  configDir: string | undefined,
  base: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const kept = Object.entries(base).filter(([name]) => !CONTRARY.includes(name));
  return {
    ...Object.fromEntries(kept),
    ...(configDir ? { CLAUDE_CONFIG_DIR: configDir } : {}),
    ...terminalEnvironment(port, base),
  };
}

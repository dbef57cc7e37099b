import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { claudePath } from "../../scripts/setup-system.mjs";
import type { MessagesApi } from "./messages-api.js";
import { isLoopbackOnly } from "./needs.js";
import { Terminal, type TerminalOptions } from "./terminal.js";
import type { Workspace } from "./workspace.js";

export interface ClaudeOptions {
  readonly workspace: Workspace;
  readonly api: MessagesApi;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A command that starts the CLI, whose command line comes after it. */
  readonly through?: readonly string[];
}

const key = "dummy";

/** The real Claude Code CLI in a terminal, with a model that says what the test has scripted. */
export class Claude {
  readonly terminal: Terminal;

  private constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  /** Resolves when its prompt is shown. */
  static async start(options: ClaudeOptions): Promise<Claude> {
    const terminal = await Terminal.start(await claudeCommand(options));
    const claude = new Claude(terminal);
    try {
      await terminal.waitFor(hasPrompt);
      return claude;
    } catch (error) {
      await claude.exit();
      throw error;
    }
  }

  /**
   * Resolves when the CLI shows which file is open in the editor: nothing else on its screen tells
   * that it is connected, and prompts that are sent before know nothing of the editor.
   */
  async attached(file: string): Promise<void> {
    await this.terminal.waitFor((screen) => inputLine(screen).includes(`⧉ In ${file}`));
  }

  /** Asks the CLI itself until it says that it is connected to Lockstep; then it is at its prompt again. */
  async connected(): Promise<void> {
    await this.submit("/status");
    await this.terminal.waitFor(/IDE: +Connected to Lockstep/);
    await this.terminal.pressUntil("Escape", hasPrompt);
  }

  /** Types a prompt and sends it once it stands in the input line: keys that come as one are a paste. */
  async submit(prompt: string): Promise<void> {
    await this.terminal.type(prompt);
    await this.terminal.waitFor((screen) => inputLine(screen).endsWith(prompt));
    await this.terminal.press("Enter");
  }

  async exit(): Promise<void> {
    await this.terminal.close();
  }
}

/** How the CLI is started in a terminal, so that it asks nothing at first and calls nobody outside. */
export async function claudeCommand(options: ClaudeOptions): Promise<TerminalOptions> {
  const { workspace, api, args = [], env = {}, through = [] } = options;
  if (!isLoopbackOnly())
    throw new Error("The CLI calls out when it starts: run it through scripts/loopback.mjs");
  await skipOnboarding(workspace);
  return {
    // Other modes than manual write without asking, so no proposal would ever be shown.
    command: [...through, claudePath, "--permission-mode", "manual", ...args],
    cwd: workspace.project,
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: workspace.home,
      TMPDIR: workspace.temporary,
      CLAUDE_CONFIG_DIR: workspace.configDir,
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_BASE_URL: api.url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
      CLAUDE_CODE_IDE_SKIP_AUTO_INSTALL: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      ...env,
    },
  };
}

/**
 * What stands at the CLI's prompt, from its `❯` on; empty when it shows something else instead.
 * Prompts that were sent before look the same, but have no rule above them.
 */
export function inputLine(screen: string): string {
  return screen.match(/^─.*\n(?<line>❯.*)$/m)?.groups?.line ?? "";
}

export function hasPrompt(screen: string): boolean {
  return inputLine(screen) !== "";
}

/**
 * Without this the first start asks for a theme, for trust in the folder and for the key's use,
 * and the first `/ide` asks whether to connect always.
 */
async function skipOnboarding({ configDir, project }: Workspace): Promise<void> {
  const settings = {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [key], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    hasIdeAutoConnectDialogBeenShown: true,
  };
  // A second CLI of the workspace finds what the first has made of it.
  const path = join(configDir, ".claude.json");
  if (!existsSync(path)) await writeFile(path, JSON.stringify(settings));
}

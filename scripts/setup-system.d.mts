/** Where the Claude Code CLI is once it is set up. */
export const claudePath: string;
/** Why `need` is not available, as a sentence without its end; undefined when it is. */
export function whyMissing(
  need: "chromium" | "claude" | "fonts" | "git" | "ip" | "jupyter" | "sshd" | "tmux" | "unshare",
): string | undefined;
/** Gets what is missing. Returns what is still missing after that, one sentence each. */
export function setupSystem(): string[];

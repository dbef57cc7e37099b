import { spawnSync } from "node:child_process";

/** The title of a suite that needs something: with the reason in it when it is skipped. */
export function titled(name: string, reason: string | undefined): string {
  return reason ? `${name} (skipped: ${reason})` : name;
}

/** Why this cannot be tried here; on CI nothing may be missing, so that is a failure. */
function unless(possible: boolean, reason: string): string | undefined {
  if (possible) return undefined;
  if (process.env.CI) throw new Error(`On CI nothing may be missing: ${reason}`);
  return reason;
}

export function whyNoOtherUser(): string | undefined {
  return unless(process.getuid?.() === 0, "only root can give a file to another user");
}

/** Runs a command with mounts of its own; without root, as root of a user namespace of its own. */
export const UNSHARE: readonly string[] =
  process.getuid?.() === 0 ? ["unshare", "-m"] : ["unshare", "-rm"];

export function whyNoMounts(): string | undefined {
  const [command = "", ...args] = [...UNSHARE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"];
  const { status } = spawnSync(command, args);
  return unless(status === 0, "unshare cannot make a mount namespace here");
}

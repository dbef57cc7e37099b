import { networkInterfaces } from "node:os";
import { whyNotLoopback } from "../../scripts/loopback.mjs";
import { whyMissing } from "../../scripts/setup-system.mjs";

/** Whether this process can reach nothing but this machine: the only place to run an agent in. */
export function isLoopbackOnly(): boolean {
  const names = Object.keys(networkInterfaces());
  return names.length === 1 && names[0] === "lo";
}

/**
 * Why the tests with the real CLI cannot run here; undefined when they can. On CI a missing thing is
 * a failure and thrown, unless the kernel forbids network namespaces: nothing can mend that there.
 */
export function whyNoClaude(): string | undefined {
  const isolated = isLoopbackOnly();
  const refusal = isolated ? undefined : whyNotLoopback();
  if (refusal?.kernel) return refusal.reason;
  const needs = ["tmux", "ip", "unshare", "claude"] as const;
  const missing = needs.flatMap((need) => whyMissing(need) ?? [])[0];
  const outside = "not in a network namespace with only loopback, run npm run test:e2e";
  const reason = missing ?? (isolated ? undefined : outside);
  if (reason && process.env.CI) throw new Error(`On CI nothing may be missing: ${reason}`);
  return reason;
}

/** Why tests with a real Jupyter kernel cannot run here; undefined when they can. */
export function whyNoJupyter(): string | undefined {
  const reason = whyMissing("jupyter");
  if (reason && process.env.CI) throw new Error(`On CI nothing may be missing: ${reason}`);
  return reason;
}

/** The name of a suite: with the reason in it when it is skipped. */
export function titled(name: string, reason: string | undefined): string {
  return reason ? `${name} (skipped: ${reason})` : name;
}

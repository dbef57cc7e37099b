import { isIP } from "node:net";
import type { Address } from "./facts.js";

/**
 * Where Claude Code looks for a port: on 127.0.0.1, or on the host that CLAUDE_CODE_IDE_HOST_OVERRIDE names, put into an
 * address as it is. None for what makes no address, such as `::1` without brackets, or a port that is no number.
 */
export function agentAddresses(port: number, override: string | undefined): readonly Address[] {
  const text = `ws://${override?.trim() || "127.0.0.1"}:${port}`;
  if (!URL.canParse(text)) return [];
  const url = new URL(text);
  const name = url.hostname.replace(/^\[|\]$/g, "");
  // Both, whatever the system says of that name.
  const hosts = name === "localhost" ? ["127.0.0.1", "::1"] : [name];
  return hosts.map((host) => ({ host, port: Number(url.port || 80), here: isHere(host) }));
}

function isHere(host: string): boolean {
  if (host === "::1" || host === "0.0.0.0") return true;
  return isIP(host) === 4 && host.startsWith("127.");
}

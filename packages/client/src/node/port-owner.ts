import { readFile } from "node:fs/promises";

/** The state of a listening socket in Linux's table. */
const LISTENING = "0A";

/**
 * The user whose process listens on a TCP port of this machine; null where the system does not say.
 * The lock file's own owner proves nothing of who has the port now.
 */
export async function portOwner(port: number): Promise<number | null> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    const text = await readFile(table, "utf8").catch(() => "");
    for (const line of text.split("\n").slice(1)) {
      const [, local, , state, , , , uid] = line.trim().split(/\s+/);
      if (local?.endsWith(suffix) && state === LISTENING) return Number(uid);
    }
  }
  return null;
}

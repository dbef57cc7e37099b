import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";

/** Linux's tables of TCP sockets, with the user of each. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

/**
 * Whether another user of this machine made the connection. A launch address passes through command
 * lines that others can read, so it must be of no use to them. Where the system does not say, it is
 * taken for ours; root needs no tricks.
 */
export async function isAnotherUsers(socket: Socket): Promise<boolean> {
  const { remotePort, localPort } = socket;
  if (process.getuid === undefined || remotePort === undefined || localPort === undefined) {
    return false;
  }
  const owner = await ownerOf(remotePort, localPort);
  return owner !== null && owner !== 0 && owner !== process.getuid();
}

/** The user of the socket that goes from one port to the other; null if it is in no table. */
async function ownerOf(from: number, to: number): Promise<number | null> {
  const [near, far] = [from, to].map(
    (port) => `:${port.toString(16).toUpperCase().padStart(4, "0")}`,
  );
  for (const table of TABLES) {
    const text = await readFile(table, "utf8").catch(() => "");
    for (const line of text.split("\n").slice(1)) {
      const [, local, remote, , , , , uid] = line.trim().split(/\s+/);
      if (local?.endsWith(near ?? "") && remote?.endsWith(far ?? "")) return Number(uid);
    }
  }
  return null;
}

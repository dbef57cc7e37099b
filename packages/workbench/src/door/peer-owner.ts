import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";

/** Linux's tables of TCP sockets, with the user of each. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** The length of a map that gives every user the number that it has anyway. */
const EVERYBODY = "4294967295";

const known = new WeakMap<Socket, Promise<boolean>>();

/**
 * Whether another user of this machine made the connection. Launch addresses pass through command
 * lines that others can read, and browsers show their cookies to every server on 127.0.0.1, others'
 * too; so both must be of no use to them. Where the system does not say, it is taken for ours.
 */
export function isAnotherUsers(socket: Socket): Promise<boolean> {
  const answer = known.get(socket) ?? find(socket);
  known.set(socket, answer);
  return answer;
}

async function find({ remotePort, localPort }: Socket): Promise<boolean> {
  const own = process.getuid?.();
  if (own === undefined || remotePort === undefined || localPort === undefined) return false;
  const owner = await ownerOf(remotePort, localPort);
  // Root needs no tricks. In a user namespace, whoever is outside has the same number.
  return owner !== null && owner !== 0 && owner !== own && (await seesEverybody());
}

/** The user of the socket that goes from one port to the other; null if it is in no table. */
async function ownerOf(from: number, to: number): Promise<number | null> {
  const [near, far] = [tail(from), tail(to)];
  for (const table of TABLES) {
    const text = await readFile(table, "utf8").catch(() => "");
    for (const line of text.split("\n").slice(1)) {
      const [, local, remote, , , , , uid] = line.trim().split(/\s+/);
      if (local?.endsWith(near) && remote?.endsWith(far)) return Number(uid);
    }
  }
  return null;
}

/** How an address with that port ends in the table. */
const tail = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, "0")}`;

async function seesEverybody(): Promise<boolean> {
  const map = await readFile("/proc/self/uid_map", "utf8").catch(() => "");
  return map.trim().split(/\s+/)[2] === EVERYBODY;
}

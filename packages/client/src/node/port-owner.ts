import { readFile } from "node:fs/promises";

/** The state of a listening socket in Linux's table. */
const LISTENING = "0A";

/**
 * The addresses at which somebody listens who is reached at 127.0.0.1, as the tables write them on
 * machines of either byte order: that one, any of IPv4, any at all. The first that there is has it.
 */
const REACHED = [/^(?:0{16}F{4}0{4}|0{20}F{4})?(?:0100007F|7F000001)$/, /^0{8}$/, /^0{32}$/];

/**
 * The user whose process listens on a TCP port of 127.0.0.1; null where the system does not say. The
 * lock file's own owner proves nothing of who has the port now, nor does who has it at other addresses.
 */
export async function portOwner(port: number): Promise<number | null> {
  const number = port.toString(16).toUpperCase().padStart(4, "0");
  const owners = new Map<number, number>();
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    const text = await readFile(table, "utf8").catch(() => "");
    for (const line of text.split("\n").slice(1)) {
      const [, local = "", , state, , , , uid] = line.trim().split(/\s+/);
      const [address = "", at] = local.split(":");
      if (state !== LISTENING || at !== number) continue;
      const rank = REACHED.findIndex((reached) => reached.test(address));
      if (rank >= 0) owners.set(rank, Number(uid));
    }
  }
  return owners.get(0) ?? owners.get(1) ?? owners.get(2) ?? null;
}

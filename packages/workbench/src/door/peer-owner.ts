import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { endianness } from "node:os";

/** Linux's tables of TCP sockets, with the user of each. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
const LISTENING = "0A";
const ESTABLISHED = "01";
/** A socket that its process has closed belongs to nobody; the table then says root. */
const CLOSED = "0";
/** The length of a map that gives every user the number that it has anyway. */
const EVERYBODY = "4294967295";
/** A table is read in pieces: a line can slip through while others come and go. */
const LOOKS = 3;

/**
 * A user's number; "gone" for a peer that has hung up; "elsewhere" for one whose end no table of ours
 * has, as a browser's on the Windows around this Linux; "untold" where the system does not say.
 */
type Owner = number | "gone" | "elsewhere" | "untold";

const known = new WeakMap<Socket, Promise<boolean>>();

/**
 * Whether another user of this machine made the connection. Launch addresses pass through command
 * lines that others can read, and browsers show their cookies to every server on 127.0.0.1, others'
 * too; so both must be of no use to them. Where the system does not say, it is taken for ours; a peer
 * that has hung up before it could be looked at is not.
 */
export function isAnotherUsers(socket: Socket): Promise<boolean> {
  const answer = known.get(socket) ?? find(socket);
  known.set(socket, answer);
  return answer;
}

async function find(socket: Socket): Promise<boolean> {
  const own = process.getuid?.();
  if (own === undefined) return false;
  const owner = await surely(socket);
  if (owner === "untold" || owner === "elsewhere") return false;
  // Root needs no tricks. In a user namespace, whoever is outside has the same number.
  return owner !== 0 && owner !== own && (await seesEverybody());
}

/** One that hangs up while the table is read may look as if it were elsewhere, but not for long. */
async function surely(socket: Socket): Promise<Owner> {
  let owner = await ownerOf(socket);
  for (let looks = 1; looks < LOOKS && typeof owner !== "number" && owner !== "untold"; looks++) {
    owner = await ownerOf(socket);
  }
  return owner;
}

/** Of the peer's own end. Its ports alone do not name it: others can have the same at other addresses. */
async function ownerOf(socket: Socket): Promise<Owner> {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  if (localAddress === undefined || localPort === undefined) return "gone";
  if (remoteAddress === undefined || remotePort === undefined) return "gone";
  const here = spellings(localAddress, localPort);
  const there = spellings(remoteAddress, remotePort);
  let isTold = false;
  let isMet = false;
  for (const table of TABLES) {
    const text = await readFile(table, "utf8").catch(() => "");
    for (const line of text.split("\n").slice(1)) {
      const [, local = "", remote = "", state, , , , uid, , inode] = line.trim().split(/\s+/);
      if (state === LISTENING && here.includes(local)) isTold = true;
      if (state === ESTABLISHED && here.includes(local) && there.includes(remote)) isMet = true;
      if (inode === CLOSED) continue;
      if (there.includes(local) && here.includes(remote)) return Number(uid);
    }
  }
  if (isMet) return "elsewhere";
  return isTold ? "gone" : "untold";
}

/** How the tables write an address with its port: as IPv4, and for a socket of IPv6 that speaks it. */
function spellings(address: string, port: number): readonly string[] {
  const isLittle = endianness() === "LE";
  const bytes = address.split(".").map((byte) => hex(Number(byte), 2));
  const word = (isLittle ? bytes.reverse() : bytes).join("");
  const mapped = isLittle ? "0000000000000000FFFF0000" : "00000000000000000000FFFF";
  return [word, mapped + word].map((place) => `${place}:${hex(port, 4)}`);
}

const hex = (number: number, digits: number) =>
  number.toString(16).toUpperCase().padStart(digits, "0");

async function seesEverybody(): Promise<boolean> {
  const map = await readFile("/proc/self/uid_map", "utf8").catch(() => "");
  return map.trim().split(/\s+/)[2] === EVERYBODY;
}

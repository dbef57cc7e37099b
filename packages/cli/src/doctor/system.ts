import { readdir, readFile, readlink } from "node:fs/promises";
import { isAlive } from "@lockstep/client";
import type { ListenerFact, ProcessFact } from "./facts.js";

/** The state of a listening socket in Linux's table. */
const LISTENING = "0A";

export async function processFact(pid: number): Promise<ProcessFact> {
  const status = await statusOf(pid);
  return {
    pid,
    alive: isAlive(pid),
    command: field(status, "Name") ?? "",
    uid: numberOf(field(status, "Uid")),
  };
}

/** How many processes above itself the agent looks at; the first of the system is none of them. */
const ANCESTORS = 11;

/** Those above a process in which the agent looks for an editor, the nearest first. */
export async function ancestorsOf(pid: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (let at = pid; found.length < ANCESTORS; ) {
    const above = numberOf(field(await statusOf(at), "PPid"));
    if (above === null || above <= 1) break;
    found.push(above);
    at = above;
  }
  return found;
}

/** Who listens on a port of this machine; null where nobody does, or the system does not say. */
export async function listenerOf(port: number, host: string): Promise<ListenerFact | null> {
  const sockets = await socketsOn(port);
  const names = spellings(host);
  // Who has the port at this very address is reached; who has it at another one does not matter.
  const socket =
    sockets.find(({ address }) => names.some((name) => address.endsWith(name))) ??
    sockets.find(({ everywhere }) => everywhere);
  if (!socket) return null;
  const pid = await holderOf(socket.inode);
  const status = pid === null ? "" : await statusOf(pid);
  // The last number is the one in its innermost namespace.
  const numbers = field(status, "NSpid")?.split(/\s+/) ?? [];
  return {
    uid: socket.uid,
    pid,
    command: field(status, "Name") ?? "",
    innerPid: numbers.length > 1 ? Number(numbers.at(-1)) : null,
    everywhere: socket.everywhere,
  };
}

/** How the system's tables may write an address of this machine, whatever its byte order. */
function spellings(host: string): readonly string[] {
  if (host === "::1") return ["01000000", "00000001"].map((end) => end.padStart(32, "0"));
  const bytes = (host === "0.0.0.0" ? "127.0.0.1" : host)
    .split(".")
    .map((byte) => Number(byte).toString(16).toUpperCase().padStart(2, "0"));
  return [bytes.join(""), bytes.reverse().join("")];
}

/** The values that a variable has in this user's other processes; root does not look into others'. */
export async function valuesElsewhere(variable: string): Promise<readonly string[]> {
  const values = new Set<string>();
  for (const pid of await processes()) {
    if (numberOf(field(await statusOf(pid), "Uid")) !== process.getuid?.()) continue;
    const text = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    const entry = text.split("\0").find((line) => line.startsWith(`${variable}=`));
    const value = entry?.slice(variable.length + 1);
    if (value) values.add(value);
  }
  return [...values];
}

export async function isWsl(): Promise<boolean> {
  return /microsoft/i.test(await readFile("/proc/version", "utf8").catch(() => ""));
}

interface Listening {
  readonly address: string;
  readonly inode: string;
  readonly uid: number;
  readonly everywhere: boolean;
}

async function socketsOn(port: number): Promise<readonly Listening[]> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((table) => readFile(table, "utf8").catch(() => "")),
  );
  return tables.flatMap((table) =>
    table
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => local?.endsWith(suffix) && state === LISTENING)
      .map(([, local, , , , , , uid, , inode]) => ({
        address: local?.slice(0, -suffix.length) ?? "",
        inode: inode ?? "",
        uid: Number(uid),
        everywhere: /^0+:/.test(local ?? ""),
      })),
  );
}

/** The process that has a socket open; null if it is another user's. */
async function holderOf(inode: string): Promise<number | null> {
  const target = `socket:[${inode}]`;
  for (const pid of await processes()) {
    const folder = `/proc/${pid}/fd`;
    for (const name of await readdir(folder).catch(() => [])) {
      if ((await readlink(`${folder}/${name}`).catch(() => "")) === target) return pid;
    }
  }
  return null;
}

async function processes(): Promise<readonly number[]> {
  const names = await readdir("/proc").catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

const statusOf = (pid: number) => readFile(`/proc/${pid}/status`, "utf8").catch(() => "");

const field = (status: string, name: string): string | undefined =>
  new RegExp(`^${name}:\\s*(.*)$`, "m").exec(status)?.[1]?.trim();

/** The first number of a field. */
function numberOf(text: string | undefined): number | null {
  const number = Number.parseInt(text ?? "", 10);
  return Number.isNaN(number) ? null : number;
}

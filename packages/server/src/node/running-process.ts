import { readFile } from "node:fs/promises";

/** A process, told apart from a later one that got the same number. */
export interface RunningProcess {
  readonly pid: number;
  /** When it began, in the kernel's ticks; null where the system does not say. */
  readonly began: string | null;
}

export async function thisProcess(): Promise<RunningProcess> {
  return { pid: process.pid, began: await beginning(process.pid) };
}

export async function isRunning({ pid, began }: RunningProcess): Promise<boolean> {
  return pidExists(pid) && (began === null || (await beginning(pid)) === began);
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // There, but another user's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Linux: field 22 of the stat line. The name in field 2 may hold blanks and parentheses. */
async function beginning(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

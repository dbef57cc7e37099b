import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Deeper than any real nesting of shells; a loop, which only a forged answer has, ends here. */
const DEEPEST = 64;

/** The process and those above it, nearest first. */
export function ancestry(pid: number): readonly number[] {
  const parents = process.platform === "linux" ? statParent : listedParents();
  const line: number[] = [];
  for (let at = pid; at > 0 && line.length < DEEPEST; at = parents(at)) line.push(at);
  return line;
}

/** All processes of a session: what was started in one terminal and did not leave it on purpose. */
export function sessionMembers(session: number): readonly number[] {
  if (process.platform !== "linux") return [];
  return processes().filter((pid) => pid > 0 && isLiveMember(statFields(pid), session));
}

/** None where the system does not tell, as when too many files are open. */
function processes(): readonly number[] {
  try {
    return readdirSync("/proc").map(Number);
  } catch {
    return [];
  }
}

/** A zombie has ended; it waits for a parent that may never ask how. */
const isLiveMember = ([state, , , session]: readonly string[], wanted: number): boolean =>
  Number(session) === wanted && state !== "Z" && state !== "X";

const statParent = (pid: number): number => Number(statFields(pid)[1] ?? 0);

/** From field 3 of the stat line on: state, parent, group, session. The name before may hold anything. */
function statFields(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

function listedParents(): (pid: number) => number {
  const list = execFileSync("ps", ["-axo", "pid=,ppid="], { encoding: "utf8", timeout: 2_000 });
  const parents = new Map(
    list.split("\n").map((line) => line.trim().split(/\s+/).map(Number) as [number, number]),
  );
  return (pid) => parents.get(pid) ?? 0;
}

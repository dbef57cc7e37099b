import { type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import { findIdes, type Ide, isUsable } from "@lockstep/client";
import { isWithin } from "@lockstep/protocol";
import type { Rival } from "@lockstep/workbench/contract";

export interface RivalsOptions {
  readonly folder: string;
  /** Our own port and lock files. */
  readonly port: number;
  readonly lockFiles: readonly string[];
  readonly configDir: string | undefined;
  readonly onRivals: (rivals: readonly Rival[]) => void;
  readonly report: (problem: unknown) => void;
}

/** A lock file is written in several steps. */
const SETTLE_MS = 200;
/** An editor that crashed leaves its lock file as it is: nothing tells of it. */
const LOOK_MS = 15_000;

/** Looks for other editors on the same folder, until it is stopped. */
export function watchRivals(options: RivalsOptions): () => void {
  const { folder, port, lockFiles, configDir, onRivals, report } = options;
  const folders = new Set(lockFiles.map((file) => dirname(file)));
  let known = "[]";
  let stopped = false;
  const look = async () => {
    const ides = await findIdes({ configDir });
    const rivals = ides.filter((ide) => isRival(ide, folder, port, folders)).map(rivalOf);
    const now = JSON.stringify(rivals);
    if (stopped || now === known) return;
    known = now;
    onRivals(rivals);
  };
  const safely = () => void look().catch(report);
  let settling: NodeJS.Timeout | undefined;
  const soon = () => {
    clearTimeout(settling);
    settling = setTimeout(safely, SETTLE_MS);
  };
  const timer = setInterval(safely, LOOK_MS);
  const watchers = [...folders].map((path) => watched(path, soon, report));
  safely();
  return () => {
    stopped = true;
    clearInterval(timer);
    clearTimeout(settling);
    for (const watcher of watchers) watcher?.close();
  };
}

function rivalOf({ name, port, pid }: Ide): Rival {
  return { name, port, pid: pid ?? 0 };
}

/** Announced where we are, alive, and around our folder: then agents choose neither by themselves. */
function isRival(ide: Ide, folder: string, port: number, places: ReadonlySet<string>): boolean {
  return (
    ide.port !== port &&
    isUsable(ide) &&
    ide.lockFiles.some((file) => places.has(dirname(file))) &&
    ide.folders.some((theirs) => isWithin(folder, theirs))
  );
}

/** Null where the system cannot watch: the regular look has to do. */
function watched(
  path: string,
  listener: () => void,
  report: (problem: unknown) => void,
): FSWatcher | null {
  try {
    return watch(path, listener).on("error", report);
  } catch (problem) {
    report(problem);
    return null;
  }
}

import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SetupError } from "@lockstep/server";
import { SECRET_HEADER } from "@lockstep/workbench";
import { statePath } from "../workspace.js";
import { type Announced, type Running, RunningFile } from "./running-file.js";

/** An editor on this folder that was there before. */
export interface RunningEditor extends Announced {
  readonly pid: number;
  /** A fresh address of its page. */
  readonly url: string;
}

/** How long an editor may take to start or to stop. */
const PATIENCE_MS = 15_000;
const LOOK_MS = 100;
const ANSWER_MS = 3_000;

/** Looks in a row at which nobody was at its door: then an editor is not about to stop, but gone. */
const REFUSALS = 5;

/** Takes the workspace for this process: null. Or answers the editor that has it. */
export async function findOrClaim(file: RunningFile): Promise<RunningEditor | null> {
  const end = Date.now() + PATIENCE_MS;
  let pid = 0;
  let refusals = 0;
  while (Date.now() < end) {
    const holder = await file.holder();
    const answer = holder && (await ask(holder));
    if (typeof answer === "object" && answer !== null) return answer;
    refusals = answer === "refused" ? refusals + 1 : 0;
    // Where the system does not tell when a process began, its number may be another one's by now.
    const reused = holder?.process.began === null && refusals >= REFUSALS;
    const free = !holder || reused;
    if (free && (await file.claim(holder ?? undefined))) return null;
    pid = holder?.process.pid ?? pid;
    await delay(LOOK_MS);
  }
  throw new SetupError(
    "no-free-slot",
    `The editor on this folder (process ${pid}) does not answer. End that process, then try again; unsaved work is kept.`,
  );
}

/** The editor that runs on this folder or on one above it, the nearest; null if none does. */
export async function findRunning(folder: string): Promise<RunningEditor | null> {
  for (let at = folder; ; at = dirname(at)) {
    const holder = await new RunningFile(statePath(at)).holder();
    const answer = holder && (await ask(holder));
    if (typeof answer === "object" && answer !== null) return answer;
    if (at === dirname(at)) return null;
  }
}

/** Null if it does not answer, "refused" if nobody is there: it may be starting, or stopping. */
async function ask({ process, ready }: Running): Promise<RunningEditor | "refused" | null> {
  if (!ready) return null;
  const { doorPort, secret, ...announced } = ready;
  try {
    const answer = await fetch(`http://127.0.0.1:${doorPort}/launch`, {
      method: "POST",
      headers: { [SECRET_HEADER]: secret },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (!answer.ok) return null;
    return { ...announced, pid: process.pid, url: await answer.text() };
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    return code === "ECONNREFUSED" ? "refused" : null;
  }
}

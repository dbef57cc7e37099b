import { isWithin } from "@lockstep/protocol";
import { IdeError } from "../errors.js";
import { type Ide, isUsable } from "./ide.js";

export interface ChooseOptions {
  /** This one and no other. */
  readonly port?: number;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * The IDE that is meant here: the given port; else the one that this terminal belongs to, by
 * CLAUDE_CODE_SSE_PORT; else the one with the closest folder around the current one, the newest
 * of them first.
 */
export function chooseIde(ides: readonly Ide[], options: ChooseOptions = {}): Ide {
  const { port, cwd = process.cwd(), env = process.env } = options;
  if (port !== undefined) {
    const ide = ides.find((candidate) => candidate.port === port);
    if (!ide)
      throw new IdeError("none-found", `No editor announces port ${port}. Try: lockstep ls`);
    return usable(ide);
  }
  const own = ides.find((ide) => String(ide.port) === env.CLAUDE_CODE_SSE_PORT && isUsable(ide));
  if (own) return own;
  const closeness = (ide: Ide) =>
    Math.max(0, ...ide.folders.map((folder) => (isWithin(cwd, folder) ? folder.length : 0)));
  const candidates = ides
    .filter((ide) => isUsable(ide) && closeness(ide) > 0)
    .sort((a, b) => closeness(b) - closeness(a) || b.announcedAt - a.announcedAt);
  if (candidates[0]) return candidates[0];
  throw new IdeError(
    "none-found",
    `No running editor has ${cwd} open. Start one here (lockstep serve), or pick one of lockstep ls with --ide PORT.`,
  );
}

function usable(ide: Ide): Ide {
  const problem = ide.problems.find(({ fatal }) => fatal);
  if (problem) throw new IdeError("unusable", `The editor on port ${ide.port}: ${problem.message}`);
  return ide;
}

import { IdeError } from "../errors.js";
import { type Ide, isUsable } from "./ide.js";

/**
 * The editor that was there before, as it announces itself now: on its port, or else the newest of
 * its name with a workspace folder of its.
 */
export function findAgain(before: Ide, ides: readonly Ide[]): Ide {
  const usable = ides.filter(isUsable);
  const shares = (ide: Ide) => ide.folders.some((folder) => before.folders.includes(folder));
  const found =
    usable.find(({ port }) => port === before.port) ??
    usable.find((ide) => ide.name === before.name && shares(ide));
  if (found) return found;
  throw new IdeError("none-found", `${before.name} does not announce itself any more.`);
}

import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { homeless } from "../errors.js";

/** The user's home. With an empty HOME it would be wherever the process happens to run. */
export function homeFolder(): string {
  const home = homedir();
  if (!isAbsolute(home)) throw homeless();
  return home;
}

/** A folder that a variable names; a relative one is to be ignored, says XDG. */
export function namedFolder(variable: string | undefined): string | undefined {
  return variable && isAbsolute(variable) ? variable : undefined;
}

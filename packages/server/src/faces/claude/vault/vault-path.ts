import { join } from "node:path";
import { filePath, invalidParams, isWithin } from "@lockstep/protocol";
import type { Session } from "../../../core/session.js";

/** The folder that vault paths are relative to. */
export function vaultRoot(session: Session): string {
  const root = session.editor.folders.map(filePath).find((path) => path !== null);
  if (root === undefined || root === null) throw invalidParams("no workspace is open");
  return root;
}

/**
 * The absolute path of a vault path. A leading slash means the workspace; `..` and `~` lead out of it
 * and are refused, but a name may hold them, such as `notes..md`.
 */
export function vaultPath(given: string, session: Session): string {
  const path = given.replace(/^\/+/, "");
  const leadsOut = path.startsWith("~") || path.split(/[/\\]/).includes("..");
  if (path === "" || leadsOut || path.includes("\0")) {
    throw invalidParams("path must be inside of the workspace");
  }
  return join(vaultRoot(session), path);
}

/** Links may lead out as well: what counts is where a path ends up. */
export async function isInVault(realPath: string, session: Session): Promise<boolean> {
  const root = vaultRoot(session);
  const real = (await session.files.look(root))?.realPath ?? root;
  return isWithin(realPath, real);
}

import { resolve } from "node:path";
import type { OpenText } from "@lockstep/editor";
import { fileUri, printable, type Uri } from "@lockstep/protocol";
import type { Session } from "../../core/session.js";
import { folderPaths, isInFolders } from "../../core/workspace.js";
import { ToolFailure } from "../../errors.js";

interface Scope {
  readonly signal: AbortSignal;
}

/** A relative path is meant from the first folder. */
function absolutePath(given: string, session: Session): string {
  if (given === "") throw new ToolFailure("File path is required");
  return resolve(folderPaths(session.editor.folders)[0] ?? "/", given);
}

/** By its real path: a link inside of the workspace may lead out of it. */
export function isInWorkspace(realPath: string, session: Session): boolean {
  return isInFolders(realPath, session.editor.folders);
}

/** Null unless it is an ordinary file. */
export async function resolveFile(
  given: string,
  session: Session,
): Promise<{ readonly path: string; readonly realPath: string } | null> {
  const path = absolutePath(given, session);
  const found = await session.files.look(path);
  return found?.isFile ? { path, realPath: found.realPath } : null;
}

/** The path of a file that exists and that the agent may open: outside, the person is asked. */
export async function admittedFile(given: string, session: Session, scope: Scope): Promise<string> {
  const file = await resolveFile(given, session);
  if (!file) throw new ToolFailure(`File not found: ${absolutePath(given, session)}`);
  if (isInWorkspace(file.realPath, session)) return file.path;
  const title = "Open a file outside of the workspace?";
  const detail = printable(`${session.agent.name} wants to open ${file.realPath}`);
  if (await session.consent({ title, detail }, scope)) return file.path;
  throw new ToolFailure(`${file.path} is outside of the workspace, so it was not opened.`);
}

/** A document by its path, with its live text if it is open. */
export async function openDocument(
  given: string,
  session: Session,
  scope: Scope,
): Promise<{ readonly path: string; readonly uri: Uri; readonly open: OpenText | null }> {
  const path = absolutePath(given, session);
  const uri = fileUri(path);
  return { path, uri, open: await session.ask("text", { uri }, scope) };
}

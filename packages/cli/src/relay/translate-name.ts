import { posix } from "node:path";
import { filePath, fileUri, isAbsolutePath, parseUri, plainFileUrl } from "@lockstep/protocol";

/** Translates a path; null for one that the other side does not have. */
export type Translate = (path: string) => string | null;

/** VS Code's names for the two sides of a diff: a scheme, and a path. */
const DIFF_SIDE = /^(_claude_fs_(?:left|right):)(\/.*)$/s;

/**
 * Translates what a field says: a path, or a URI of a file in the spelling that it came in. What names
 * no place on a disk stays as it is: a label, an untitled document, a path below the workspace. Null for
 * what the other side does not have.
 */
export function translateName(text: string, translate: Translate): string | null {
  if (/^file:/i.test(text)) return translateUri(text, translate);
  const [, scheme = "", path] = DIFF_SIDE.exec(text) ?? [];
  if (path !== undefined) {
    const moved = translate(path);
    return moved === null ? null : scheme + moved;
  }
  if (isAbsolutePath(text)) return translate(text);
  const leaves = posix.normalize(text.replaceAll("\\", "/")).split("/")[0] === "..";
  return leaves ? null : text;
}

function translateUri(text: string, translate: Translate): string | null {
  const uri = parseUri(text);
  const path = uri && filePath(uri);
  const moved = path && translate(path);
  if (!path || !moved) return null;
  // Agents compare plain ones as strings; where both spellings are one, it is taken for plain.
  return text === plainFileUrl(path) ? plainFileUrl(moved) : fileUri(moved);
}

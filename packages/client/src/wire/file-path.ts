import { filePath, parseUri } from "@lockstep/protocol";

/**
 * The path that an editor's URI names, encoded or not; null for a document without a file. Emacs
 * encodes the slashes too.
 */
export function pathOf(uri: string): string | null {
  const parsed = parseUri(uri.replaceAll(/%2f/gi, "/"));
  return parsed && filePath(parsed);
}

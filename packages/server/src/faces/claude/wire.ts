import { type Cell, isEmptyRange, type Mention, type Selection } from "@lockstep/editor";
import {
  type AtMentioned,
  filePath,
  plainFileUrl,
  type SelectionChanged,
  type Uri,
} from "@lockstep/protocol";

/** A document without a file is called by its name, such as "Untitled-2". */
export function wirePath(uri: Uri): string {
  return filePath(uri) ?? uri.slice(uri.indexOf(":") + 1);
}

/** Nothing encoded: agents compare these as strings. */
export function wireUri(uri: Uri): string {
  const path = filePath(uri);
  return path === null ? uri : plainFileUrl(path);
}

/**
 * Also what the tools answer that ask for a selection. In a notebook the lines are those of a cell, which
 * the address names in VS Code's way.
 */
export function selectionChanged({ uri, range, text, cell }: Selection): SelectionChanged {
  const { start, end } = range;
  const selection = { start, end, isEmpty: isEmptyRange(range) };
  const fileUrl = cell ? cellUrl(uri, cell) : uri;
  return { text, filePath: wirePath(uri), fileUrl, selection };
}

function cellUrl(uri: Uri, { index, id }: Cell): string {
  const path = uri.slice(uri.indexOf(":") + 1).replace(/^\/\/(?=\/)/, "");
  return `vscode-notebook-cell:${path}#${encodeURIComponent(id ?? String(index))}`;
}

export function atMentioned({ uri, lines }: Mention): AtMentioned {
  const path = wirePath(uri);
  if (!lines) return { filePath: path };
  return { filePath: path, lineStart: lines.first, lineEnd: lines.last };
}

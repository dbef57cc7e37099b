import { homedir } from "node:os";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import {
  baseName,
  filePath,
  fileUri,
  isWithin,
  parseUri,
  printable,
  type Uri,
} from "@lockstep/protocol";
import { WorkbenchError } from "../errors.js";

const UNTITLED = /^untitled:Untitled-[1-9]\d{0,8}$/;

export const isUntitled = (uri: Uri): boolean => UNTITLED.test(uri);

export const untitledUri = (number: number): Uri => parseUri(`untitled:Untitled-${number}`) as Uri;

/**
 * The one name of a document, without `..` and doubled slashes. Fails for what cannot be one: only
 * files of this machine, and texts that have no file yet.
 */
export function documentUri(uri: Uri): Uri {
  if (isUntitled(uri)) return uri;
  return fileUri(documentPath(uri));
}

export function isDocument(uri: Uri): boolean {
  try {
    return documentUri(uri) === uri;
  } catch {
    return false;
  }
}

export function documentPath(uri: Uri): string {
  const path = filePath(uri);
  if (path === null) throw new WorkbenchError(`Only files can be opened, not ${printable(uri)}.`);
  if (!isAbsolute(path) || path.includes("\0")) {
    throw new WorkbenchError(`${printable(path)} cannot be the name of a file here.`);
  }
  return resolve(path);
}

/** The folders above a document, from the workspace on; outside it from the home folder or the root. */
export function placeOf(uri: Uri, folders: readonly string[]): string {
  const path = filePath(uri);
  if (path === null) return "";
  const parent = dirname(path);
  const root = folders.find((folder) => isWithin(parent, folder));
  if (root !== undefined) {
    const inside = relative(root, parent);
    if (folders.length === 1) return printable(inside);
    return printable(inside === "" ? baseName(root) : `${baseName(root)}/${inside}`);
  }
  const home = homedir();
  if (!isWithin(parent, home)) return printable(parent);
  const inside = relative(home, parent);
  return printable(inside === "" ? "~" : `~/${inside}`);
}

declare const brand: unique symbol;

/**
 * The name of a document: `file:`, `untitled:` and so on, in one canonical spelling, so that two
 * names of one document are equal strings. Made by {@link fileUri} and {@link parseUri} only.
 * A `file:` URI is percent-encoded and holds an absolute path.
 */
export type Uri = string & { readonly [brand]: "Uri" };

const FILE = "file://";

/** The URI of an absolute path. Throws on a relative one: there is no folder to resolve it against. */
export function fileUri(path: string): Uri {
  if (!path.startsWith("/")) throw new TypeError(`Not an absolute path: ${path}`);
  return (FILE + path.toWellFormed().split("/").map(encodeSegment).join("/")) as Uri;
}

/** The canonical spelling of a URI, however its file name was encoded; null if it is none. */
export function parseUri(text: string): Uri | null {
  if (!text.startsWith("file:")) return /^[a-z][a-z0-9+.-]+:/i.test(text) ? (text as Uri) : null;
  const path = text.replace(/^file:(\/\/(localhost)?(?=\/))?/, "");
  if (!path.startsWith("/") || path.startsWith("//")) return null;
  return fileUri(decodeLeniently(path));
}

/** The absolute path that a `file:` URI names; null for any other scheme. */
export function filePath(uri: Uri): string | null {
  return uri.startsWith(FILE) ? decodeURIComponent(uri.slice(FILE.length)) : null;
}

/**
 * How agents spell a file's URI: `file://` and the path as it is, with nothing encoded. The Claude
 * Code CLI compares such strings and knows no other spelling.
 */
export function plainFileUrl(path: string): string {
  return FILE + path;
}

/** The last segment of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether a path is a folder or lies below it; `/a/bc` is not below `/a/b`. */
export function isWithin(path: string, folder: string): boolean {
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  return path === folder || `${path}/` === prefix || path.startsWith(prefix);
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent);
}

/** A path with a stray `%` was not encoded in the first place, so it is taken as it is. */
function decodeLeniently(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

import { isAbsolutePath, slashes, windowsDrive } from "./paths.js";

declare const brand: unique symbol;

/**
 * The name of a document: `file:`, `untitled:` and so on, in one canonical spelling, so that two
 * names of one document are equal strings. Made by {@link fileUri} and {@link parseUri} only.
 *
 * A `file:` URI is percent-encoded and holds an absolute path: `file:///home/ada/a.ts`,
 * `file:///c:/Users/ada/a.ts` with the drive in lower case, `file://server/share/a.ts`.
 */
export type Uri = string & { readonly [brand]: "Uri" };

const FILE = "file://";

/** The URI of an absolute path, POSIX or Windows. Throws on a relative one. */
export function fileUri(path: string): Uri {
  if (!isAbsolutePath(path)) throw new TypeError(`Not an absolute path: ${path}`);
  return (FILE + encode(uriPath(path))) as Uri;
}

/** The canonical spelling of a URI, however its file name was encoded; null if it is none. */
export function parseUri(text: string): Uri | null {
  if (!text.startsWith("file:")) return /^[a-z][a-z0-9+.-]+:/i.test(text) ? (text as Uri) : null;
  const [, authority = "", path = ""] = /^file:(?:\/\/([^/]*))?(.*)$/s.exec(text) ?? [];
  if (!path.startsWith("/") || path.startsWith("//")) return null;
  const local = authority === "" || authority === "localhost";
  const native = local
    ? nativePath(decode(path))
    : `\\\\${authority}${decode(path).replaceAll("/", "\\")}`;
  return isAbsolutePath(native) ? fileUri(native) : null;
}

/** The absolute path that a `file:` URI names, as its machine spells it; null for any other scheme. */
export function filePath(uri: Uri): string | null {
  if (!uri.startsWith(FILE)) return null;
  const path = decodeURIComponent(uri.slice(FILE.length));
  return path.startsWith("/") ? nativePath(path) : `\\\\${path.replaceAll("/", "\\")}`;
}

/**
 * How agents spell a file's URI: `file://` and the path as it is, with nothing encoded. The Claude
 * Code CLI compares such strings and knows no other spelling.
 */
export function plainFileUrl(path: string): string {
  return FILE + uriPath(path);
}

/** What follows `file://`: `/home/a`, `/c:/Users`, `server/share`. */
function uriPath(path: string): string {
  const drive = windowsDrive(path);
  if (drive !== null) return `/${drive}:${slashes(path.slice(2))}`;
  return path.startsWith("\\\\") ? slashes(path.slice(2)) : path;
}

/** `/c:/Users` is a Windows path; nobody calls a POSIX folder so. */
function nativePath(path: string): string {
  const drive = windowsDrive(path.slice(1));
  if (drive === null) return path;
  return `${drive.toUpperCase()}:${path.slice(3).replaceAll("/", "\\")}`;
}

function encode(path: string): string {
  return path.toWellFormed().split("/").map(encodeSegment).join("/");
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent);
}

/** A path with a stray `%` was not encoded in the first place, so it is taken as it is. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * How one file is spelled by different machines and editors: `C:\Users\ada` by Windows,
 * `/c/Users/ada` by JetBrains' plugin, `/mnt/c/Users/ada` inside WSL.
 */

/** The drive of a Windows path, in lower case; null if it has none. */
export function windowsDrive(path: string): string | null {
  return /^([a-z]):[\\/]/i.exec(path)?.[1]?.toLowerCase() ?? null;
}

/** `\\server\share`, and what lies below it. */
function isUnc(path: string): boolean {
  return /^\\\\[^\\/]+\\[^\\/]+/.test(path);
}

export function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || windowsDrive(path) !== null || isUnc(path);
}

export function slashes(path: string): string {
  return path.replaceAll("\\", "/");
}

/** Windows to JetBrains' spelling; a POSIX path stays as it is. */
export function posixSpelling(path: string): string {
  const drive = windowsDrive(path);
  if (drive !== null) return `/${drive}${slashes(path.slice(2))}`;
  return isUnc(path) ? slashes(path) : path;
}

/** JetBrains' spelling to Windows; what is a Windows path already stays so. */
export function windowsSpelling(path: string): string {
  const [, drive, rest = ""] = /^\/([a-z])(\/.*)?$/is.exec(path) ?? [];
  if (drive !== undefined) return windowsPath(drive, rest);
  if (path.startsWith("//")) return path.replaceAll("/", "\\");
  return windowsDrive(path) === null ? path : windowsPath(path.charAt(0), path.slice(2));
}

/** Windows to what the same file is called inside WSL; a network share has no name there. */
export function wslSpelling(path: string): string {
  const drive = windowsDrive(path);
  return drive === null ? path : `/mnt/${drive}${slashes(path.slice(2))}`;
}

/** From inside WSL to Windows; a path of WSL's own file system stays as it is. */
export function windowsFromWsl(path: string): string {
  const [, drive, rest = ""] = /^\/mnt\/([a-z])(\/.*)?$/s.exec(path) ?? [];
  return drive === undefined ? path : windowsPath(drive, rest);
}

function windowsPath(drive: string, rest: string): string {
  return `${drive.toUpperCase()}:${rest.replaceAll("/", "\\") || "\\"}`;
}

/** The last segment of a path. */
export function baseName(path: string): string {
  const own = windowsDrive(path) !== null || isUnc(path) ? slashes(path) : path;
  return own.slice(own.lastIndexOf("/") + 1);
}

/**
 * Whether a path is a folder or lies below it; `/a/bc` is not below `/a/b`. Windows paths are
 * compared without regard to case and to which slash they use.
 */
export function isWithin(path: string, folder: string): boolean {
  const [inner, outer] = [comparable(path), comparable(folder)];
  const prefix = outer.endsWith("/") ? outer : `${outer}/`;
  return inner === outer || `${inner}/` === prefix || inner.startsWith(prefix);
}

function comparable(path: string): string {
  return windowsDrive(path) !== null || isUnc(path) ? slashes(path).toLowerCase() : path;
}

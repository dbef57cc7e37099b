/** Paths of the workbench's machine, which may be another kind of machine than this one. */
const separatorOf = (path: string) => (path.includes("/") ? "/" : "\\");

export function joinPath(folder: string, name: string): string {
  const separator = separatorOf(folder);
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}

export function parentPath(path: string): string {
  const at = path.lastIndexOf(separatorOf(path));
  return at > 0 ? path.slice(0, at) : path.slice(0, at + 1);
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf(separatorOf(path)) + 1);

export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(joinPath(folder, ""));
}

import { printable } from "@lockstep/protocol";

export interface ListedFile {
  readonly uri: string;
  readonly path: string;
}

/** The row of a file, above what is listed of it. */
export interface FileHead<File extends ListedFile = ListedFile> {
  readonly kind: "file";
  readonly file: File;
  readonly name: string;
  /** The folder; "" at the root. */
  readonly place: string;
  /** How many there are in the file. */
  readonly count: number;
  readonly open: boolean;
}

export function fileHead<File extends ListedFile>(
  file: File,
  count: number,
  closed: ReadonlySet<string>,
): FileHead<File> {
  const at = file.path.lastIndexOf("/");
  return {
    kind: "file",
    file,
    name: printable(file.path.slice(at + 1)),
    place: at > 0 ? printable(file.path.slice(0, at)) : "",
    count,
    open: !closed.has(file.uri),
  };
}

/** The closed files, when one of them is opened or another closed. */
export function folded<Uri extends string>(closed: ReadonlySet<Uri>, uri: Uri): ReadonlySet<Uri> {
  const next = new Set(closed);
  if (!next.delete(uri)) next.add(uri);
  return next;
}

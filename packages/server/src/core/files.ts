/** The engine's own view of the disk: it reads what a proposal is compared with, and never writes. */
export interface Files {
  /** What a path leads to, links followed; null if there is nothing. */
  look(path: string): Promise<{ readonly realPath: string; readonly isFile: boolean } | null>;
  /** The text of a file; null if there is none. Throws for a folder, a device, or a huge file. */
  read(path: string): Promise<string | null>;
}

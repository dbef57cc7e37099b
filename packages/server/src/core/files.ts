/** The engine's own view of the disk. A proposal is never written through it: the agent does that. */
export interface Files {
  /** What a path leads to, links followed; null if there is nothing. */
  look(path: string): Promise<{ readonly realPath: string; readonly isFile: boolean } | null>;
  /** The text of a file; null if there is none. Throws for a folder, a device, or a huge file. */
  read(path: string): Promise<string | null>;
  /** What is in a folder, in the order of names. Links are left out. */
  entries(
    folder: string,
  ): Promise<readonly { readonly name: string; readonly isFolder: boolean }[]>;
  /** Replaces a file as a whole, or makes it; its folder must exist. */
  write(path: string, text: string): Promise<void>;
}

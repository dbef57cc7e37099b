import { filePath, type Uri } from "@lockstep/protocol";

export interface OpenNotebooksOptions {
  /** What is open, notebook or not. */
  readonly open: () => readonly Uri[];
  /** What the person looks at. */
  readonly active: () => Uri | null;
  readonly onClose: (uri: Uri) => void;
}

export const isNotebook = (uri: Uri): boolean =>
  (filePath(uri) ?? uri).toLowerCase().endsWith(".ipynb");

/** Which notebooks are open, and which of them the person had in front of them last. */
export class OpenNotebooks {
  readonly #options: OpenNotebooksOptions;
  /** The one that the person looked at last comes first. */
  #list: readonly Uri[] = [];
  /** The first was opened, or the last was closed. */
  onSomeOrNone = () => {};

  constructor(options: OpenNotebooksOptions) {
    this.#options = options;
  }

  get list(): readonly Uri[] {
    return this.#list;
  }

  /** Something was opened, closed, or brought to the front. */
  look(): void {
    const before = this.#list;
    const open = this.#options.open().filter(isNotebook);
    const active = this.#options.active();
    const stayed = before.filter((uri) => open.includes(uri));
    const inFront = active !== null && open.includes(active) ? [active] : [];
    this.#list = [...new Set([...inFront, ...stayed, ...open])];
    for (const uri of before) if (!open.includes(uri)) this.#options.onClose(uri);
    if (before.length > 0 !== this.#list.length > 0) this.onSomeOrNone();
  }
}

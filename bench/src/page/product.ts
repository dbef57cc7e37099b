import type { Sight } from "./witness.js";

/** An editor that is served to a browser. */
export interface Product {
  readonly name: ProductName;
  /** Serves a folder; the address is for one browser. */
  serve(project: string): Promise<Served>;
  /** The row of a file in the tree. */
  row(file: string): Sight;
  /** Text in the editor. */
  text(containing: string): Sight;
}

export type ProductName = "code-server" | "lockstep";

export interface Served extends AsyncDisposable {
  readonly url: string;
}

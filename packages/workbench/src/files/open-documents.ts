import type { ChangeSpec } from "@codemirror/state";
import type { Uri } from "@lockstep/protocol";
import type { SharedText } from "../texts/shared-text.js";

/** What files need of the documents: their live text, and that they follow a file that moves. */
export interface OpenDocuments {
  get(uri: Uri): { readonly shared: SharedText } | null;
  edit(uri: Uri, changes: ChangeSpec, by?: string): unknown;
  /** A file, or a folder with all that is open below it, has a new name. */
  moved(from: Uri, to: Uri): Promise<void>;
  /** Looks at the files of these paths again; without paths at all of them. */
  noticeDisk(paths?: readonly string[]): Promise<void>;
}

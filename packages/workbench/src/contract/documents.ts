import type { Uri } from "@lockstep/protocol";
import * as z from "zod/mini";
import { call } from "./call.js";
import { count, nothing, uri } from "./shapes.js";

/** A document as every window sees it, without its text. */
export interface DocumentInfo {
  readonly uri: Uri;
  /** What its tab says: the name of the file, or "Untitled-1". */
  readonly label: string;
  /** The folders above it, from the workspace on, for the tab's hint; "" for none. */
  readonly place: string;
  readonly languageId: string;
  readonly dirty: boolean;
  readonly lineEnds: "lf" | "crlf" | "cr" | "mixed";
  /** Such as "utf-8", "utf-8 with BOM", "utf-16le". */
  readonly encoding: string;
  /** Why it cannot be edited, as a sentence; null if it can. */
  readonly readOnly: string | null;
  /** What happened to the file while there are unsaved edits; the person has to choose. */
  readonly clash: "changed" | "deleted" | null;
  /** Why the last save failed and what to do, as a sentence; the edits are still there. */
  readonly trouble: string | null;
  /** Bytes of the text. Very large documents are shown without highlighting. */
  readonly size: number;
}

/** One tab per document; proposals have tabs of their own, which follow from the proposals. */
export interface TabInfo {
  readonly uri: Uri;
  /** The next opened file may take its place. */
  readonly preview: boolean;
  /** There is no document: the tab says why. */
  readonly unshown?: Unshown;
}

/** A file that has a tab and cannot be shown as text. */
export interface Unshown {
  readonly label: string;
  readonly place: string;
  readonly reason: "binary" | "large" | "unreadable" | "special" | "absent";
  /** Why it cannot be shown, as a sentence. */
  readonly why: string;
  /** As people call it, such as "PNG image"; null where nobody can say. */
  readonly what: string | null;
  /** Bytes; null where nobody can say. */
  readonly size: number | null;
  /** Where the door gives it out, if it is a picture; another address when it has changed. */
  readonly picture: string | null;
}

export interface DocumentEvents {
  /** The same text has another name from now on: its file was renamed, or it was saved under a name. */
  "document.renamed": { readonly from: Uri; readonly to: Uri };
}

export const documentCalls = {
  /**
   * Opens a tab. A file that cannot be shown (binary, too large, absent) gets one that says why. Fails
   * with a sentence for a folder, and for what cannot be a file.
   */
  "tab.open": call<void>()(z.object({ uri, preview: z.boolean() })),
  /** "dirty": nothing was closed, ask the person and call again with `discard`. */
  "tab.close": call<"closed" | "dirty">()(z.object({ uri, discard: z.boolean() })),
  /** A preview becomes a lasting tab. */
  "tab.keep": call<void>()(z.object({ uri })),
  "tab.move": call<void>()(z.object({ uri, to: count })),
  /** Opens an empty document without a file. */
  "document.new": call<{ readonly uri: Uri }>()(nothing),
  /**
   * Writes it to its file, or to `as`, which must not exist unless `overwrite`. Fails with what to do.
   * With `overwrite` a file that changed underneath is replaced.
   */
  "document.save": call<void>()(
    z.object({ uri, as: z.optional(uri), overwrite: z.optional(z.boolean()) }),
  ),
  "document.saveAll": call<{ readonly failed: readonly Uri[] }>()(nothing),
  /** The file's text again; the edits can be brought back by undo in the window that asked. */
  "document.revert": call<void>()(z.object({ uri })),
  /** Settles a clash: the person's text stays, the file's is taken, or both are merged in a review. */
  "document.settle": call<void>()(z.object({ uri, choice: z.enum(["mine", "theirs", "merge"]) })),
  "document.setLineEnds": call<void>()(z.object({ uri, lineEnds: z.enum(["lf", "crlf"]) })),
};

import { Facet } from "@codemirror/state";
import type { OpenDocument } from "./open-document.js";

/** The document that a state is of, for extensions that ask the workbench about it; null in a review. */
export const documentOf = Facet.define<OpenDocument, OpenDocument | null>({
  combine: ([document]) => document ?? null,
});

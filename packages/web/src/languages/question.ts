import type { Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { ConnectionClosed, type Uri } from "@lockstep/protocol";
import { documentOf } from "../editor/document-of.js";
import type { OpenDocument } from "../editor/open-document.js";
import { linkStatus } from "../replica/link.js";

/** Edits travel within milliseconds; this is how often it is looked whether they have arrived. */
const LOOK_MS = 4;
const PATIENCE_MS = 5_000;

/**
 * How long an answer is of use: while the text is the same, or while the cursor is, too. "always" is for
 * what changes the text itself; only until it is asked the text must stay the same.
 */
export type Validity = "always" | "text" | "cursor";

/**
 * Asks the workbench about the shown text, once it has all that was typed. Null where nothing can be
 * asked, and where the answer is of no use any more: the text or the cursor has moved on.
 */
export async function question<Answer>(
  view: EditorView,
  ask: (uri: Uri, text: Text) => Promise<Answer>,
  validity: Validity = "cursor",
): Promise<Answer | null> {
  const document = view.state.facet(documentOf);
  if (!document) return null;
  const { doc, selection } = view.state;
  const isValid = () =>
    view.state.facet(documentOf) === document &&
    view.state.doc === doc &&
    (validity !== "cursor" || view.state.selection.eq(selection));
  if (!(await haveEditsArrived(document, isValid))) return null;
  try {
    const answer = await ask(document.uri, doc);
    return validity === "always" || isValid() ? answer : null;
  } catch (problem) {
    // Whoever waits for a lost link is told so already.
    if (problem instanceof ConnectionClosed) return null;
    if (validity !== "always" && !isValid()) return null;
    throw problem;
  }
}

async function haveEditsArrived(document: OpenDocument, isValid: () => boolean): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS;
  while (document.unsent) {
    if (!isValid() || linkStatus() !== "open" || performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return linkStatus() === "open" && isValid();
}

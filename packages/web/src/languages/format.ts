import type { EditorView } from "@codemirror/view";
import { showProblem } from "../design/index.js";
import { rangeOf } from "../editor/text-places.js";
import { call } from "../replica/link.js";
import { question } from "./question.js";

/** Formats the document, or what is selected. Undo takes it back as one step. */
export async function format(view: EditorView, what: "document" | "selection"): Promise<void> {
  const { from, to } = view.state.selection.main;
  try {
    await question(
      view,
      (uri, text) =>
        call("language.format", {
          uri,
          ...(what === "selection" ? { range: rangeOf(text, from, to) } : {}),
        }),
      "always",
    );
  } catch (problem) {
    showProblem(problem);
  }
}

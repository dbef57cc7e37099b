import { type EditorView, ViewPlugin } from "@codemirror/view";
import { createEffect, createRoot, createSignal } from "solid-js";
import { documentOf } from "../editor/document-of.js";
import { problemsOf } from "./all-problems.js";
import { markedFile, markProblems } from "./problem-marks.js";

/** Shows in a document's text what is wrong with it, whenever that is told anew. */
export const followProblems = ViewPlugin.fromClass(
  class {
    readonly destroy: () => void;

    constructor(view: EditorView) {
      const document = view.state.facet(documentOf);
      this.destroy = createRoot((dispose) => {
        // This is made in the middle of an update, in which nothing can be shown.
        const [isReady, setReady] = createSignal(false);
        queueMicrotask(() => setReady(true));
        createEffect(() => {
          if (!isReady() || !document) return;
          const file = problemsOf(document.uri);
          if (file !== markedFile(view)) markProblems(view, file, document.confirmed);
        });
        return dispose;
      });
    }
  },
);

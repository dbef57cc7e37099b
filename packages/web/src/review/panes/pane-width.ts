import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/**
 * Tells the style sheet how wide the visible part of a pane is, and where it begins, so that the rows
 * between the lines stay in sight while long lines are scrolled.
 */
export const paneWidth = ViewPlugin.fromClass(
  class {
    constructor(view: EditorView) {
      this.#measure(view);
    }

    update({ view, geometryChanged }: ViewUpdate): void {
      if (geometryChanged) this.#measure(view);
    }

    #measure(view: EditorView): void {
      view.requestMeasure({
        key: this,
        read: () => {
          const gutters = view.dom.querySelector(".cm-gutters")?.getBoundingClientRect().width ?? 0;
          return { gutters, width: view.scrollDOM.clientWidth - gutters };
        },
        write: ({ gutters, width }) => {
          view.dom.style.setProperty("--review-gutters", `${gutters}px`);
          view.dom.style.setProperty("--review-width", `${width}px`);
        },
      });
    }
  },
);

import type { Extension } from "@codemirror/state";
import { drawSelection, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** A caret that has not moved for this long begins to blink. */
const REST_MS = 600;
const BLINKS = "editor-caret-blinks";

/**
 * The caret blinks only while it rests. An animation that starts anew with every typed character would
 * cost more than the character: the browser takes the page's layers apart for it.
 */
export const caret: Extension = [
  drawSelection({ cursorBlinkRate: 0 }),
  ViewPlugin.define((view) => {
    const { classList } = view.scrollDOM;
    const rest = () => classList.add(BLINKS);
    let timer = setTimeout(rest, REST_MS);
    return {
      update({ selectionSet, docChanged, focusChanged }: ViewUpdate) {
        if (!selectionSet && !docChanged && !focusChanged) return;
        classList.remove(BLINKS);
        clearTimeout(timer);
        timer = setTimeout(rest, REST_MS);
      },
      destroy() {
        clearTimeout(timer);
        classList.remove(BLINKS);
      },
    };
  }),
];

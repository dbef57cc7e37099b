import { findNext, findPrevious, search } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { type EditorView, keymap, type Panel, type ViewUpdate } from "@codemirror/view";
import { render } from "solid-js/web";
import { FindPanel } from "./find-panel.js";
import { MatchCount } from "./match-count.js";
import { createQuery } from "./query.js";

/** Find and replace within a text, with our own panel above it. */
export const finding: Extension = [
  search({ top: true, createPanel, literal: true }),
  keymap.of([
    { key: "F3", run: findNext, shift: findPrevious, preventDefault: true },
    { key: "Mod-g", run: findNext, shift: findPrevious, preventDefault: true },
  ]),
];

function createPanel(view: EditorView): Panel {
  const dom = document.createElement("div");
  dom.className = "find";
  const query = createQuery(view);
  const matches = new MatchCount(view);
  let dispose: (() => void) | null = null;
  return {
    dom,
    top: true,
    mount: () => {
      dispose = render(() => FindPanel({ view, query, matches }), dom);
      matches.recount();
      dom.querySelector<HTMLInputElement>("[main-field]")?.select();
    },
    update: (update: ViewUpdate) => {
      const changed = query.follow(update);
      matches.follow(update, changed);
    },
    destroy: () => {
      matches.stop();
      dispose?.();
    },
  };
}

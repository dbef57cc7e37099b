import { type Extension, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { type EditorView, GutterMarker, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { createRoot } from "solid-js";
import { Icon } from "../design/index.js";
import { rangeOf } from "../editor/text-places.js";
import { problemGutter, problemsBetween } from "../problems/problem-marks.js";
import { offersFor, showActions } from "./actions.js";
import { question } from "./question.js";

/** How long the cursor rests on a line before it is asked what can be done there. */
const REST_MS = 300;

const setBulb = StateEffect.define<number | null>();

class Bulb extends GutterMarker {
  override toDOM(view: EditorView): HTMLElement {
    const button = document.createElement("span");
    button.className = "problem-bulb";
    button.dataset.tip = "Quick fixes";
    button.append(createRoot(() => <Icon name="bulb" />) as Node);
    button.addEventListener("mousedown", (event) => {
      event.preventDefault();
      event.stopPropagation();
      view.focus();
      void showActions(view);
    });
    return button;
  }
}
const BULB = new Bulb();

const shown = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update: (now, { effects, docChanged, changes }) => {
    const next = effects.find((effect) => effect.is(setBulb));
    if (next) return next.value === null ? RangeSet.empty : RangeSet.of(BULB.range(next.value));
    return docChanged && now.size > 0 ? now.map(changes) : now;
  },
  provide: (field) => problemGutter.from(field),
});

/** Lights up beside the line of the cursor where there is a fix for one of its problems. */
const watch = ViewPlugin.fromClass(
  class {
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(readonly view: EditorView) {}

    update({ docChanged, selectionSet, transactions }: ViewUpdate): void {
      if (!docChanged && !selectionSet && transactions.length === 0) return;
      if (transactions.some(({ effects }) => effects.some((effect) => effect.is(setBulb)))) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#look(), REST_MS);
    }

    async #look(): Promise<void> {
      const { view } = this;
      const line = view.state.doc.lineAt(view.state.selection.main.head);
      const problems = problemsBetween(view, line.from, line.to);
      const offers =
        problems.length > 0 && !view.state.readOnly
          ? await question(view, (uri, text) =>
              offersFor({ uri, range: rangeOf(text, line.from, line.to), only: "quickfix" }),
            ).catch(() => null)
          : [];
      if (offers === null) return;
      const at = offers.length > 0 ? line.from : null;
      if (at !== bulbAt(view)) view.dispatch({ effects: setBulb.of(at) });
    }

    destroy(): void {
      clearTimeout(this.#timer);
    }
  },
);

const bulbAt = (view: EditorView): number | null => {
  const cursor = view.state.field(shown).iter();
  return cursor.value ? cursor.from : null;
};

export const bulb: Extension = [shown, watch];

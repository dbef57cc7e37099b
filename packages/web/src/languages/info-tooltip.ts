import { type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import { type EditorView, keymap, showTooltip, type Tooltip } from "@codemirror/view";

/** Shows a tooltip at a place, until the text or the cursor moves, or Escape is pressed. */
export const showInfo = StateEffect.define<Tooltip | null>();

const shown = StateField.define<Tooltip | null>({
  create: () => null,
  update: (now, { effects, docChanged, selection }) => {
    const next = effects.find((effect) => effect.is(showInfo));
    if (next) return next.value;
    return docChanged || selection ? null : now;
  },
  provide: (field) => showTooltip.from(field),
});

function hide(view: EditorView): boolean {
  if (!view.state.field(shown, false)) return false;
  view.dispatch({ effects: showInfo.of(null) });
  return true;
}

export const infoTooltip: Extension = [
  shown,
  Prec.highest(keymap.of([{ key: "Escape", run: hide }])),
];

import {
  EditorSelection,
  type Extension,
  StateEffect,
  StateField,
  type Text,
} from "@codemirror/state";
import { EditorView, type Panel, showPanel } from "@codemirror/view";

const toggle = StateEffect.define<boolean>();

const shown = StateField.define<boolean>({
  create: () => false,
  update: (value, { effects }) =>
    effects.reduce((now, effect) => (effect.is(toggle) ? effect.value : now), value),
  provide: (field) => showPanel.from(field, (on) => (on ? createPanel : null)),
});

/** A field above the text that asks for a line. */
export const goingToLine: Extension = shown;

export function openGoToLine(view: EditorView): void {
  view.dispatch({ effects: toggle.of(true) });
  view.dom.querySelector<HTMLInputElement>(".goto-input")?.select();
}

/**
 * The offset that "12", "12:4", "+3", "-3" or "50%" names, counted from 1 as people do; null if it
 * names none. Lines and columns beyond the end are the last ones.
 */
export function placeOf(asked: string, text: Text, from: number): number | null {
  const match = /^\s*([+-]?)(\d+)(%?)(?:\s*[:,]\s*(\d+))?\s*$/.exec(asked);
  if (!match) return null;
  const [, sign, digits, percent, column] = match;
  const amount = Number(digits);
  const here = text.lineAt(from).number;
  const asLine = percent ? Math.round((text.lines * amount) / 100) : amount;
  const number = sign === "+" ? here + amount : sign === "-" ? here - amount : asLine;
  const line = text.line(Math.max(1, Math.min(text.lines, number)));
  return line.from + Math.max(0, Math.min(line.length, Number(column ?? 1) - 1));
}

function createPanel(view: EditorView): Panel {
  const dom = document.createElement("form");
  dom.className = "goto";
  const input = document.createElement("input");
  input.className = "goto-input";
  input.type = "text";
  input.inputMode = "numeric";
  input.autocomplete = "off";
  input.setAttribute("aria-label", "Go to line");
  const hint = document.createElement("span");
  hint.className = "goto-hint";
  const say = () => {
    hint.textContent = `Line, or line:column — 1 to ${view.state.doc.lines.toLocaleString("en")}`;
  };
  const close = () => {
    view.dispatch({ effects: toggle.of(false) });
    view.focus();
  };
  const go = () => {
    const place = placeOf(input.value, view.state.doc, view.state.selection.main.head);
    input.setAttribute("aria-invalid", String(place === null));
    if (place === null) return;
    view.dispatch({
      selection: EditorSelection.cursor(place),
      effects: EditorView.scrollIntoView(place, { y: "center" }),
      userEvent: "select",
    });
    close();
  };
  dom.append(input, hint);
  dom.addEventListener("submit", (event) => {
    event.preventDefault();
    go();
  });
  dom.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  dom.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !dom.contains(relatedTarget)) {
      view.dispatch({ effects: toggle.of(false) });
    }
  });
  say();
  return {
    dom,
    top: true,
    mount: () => {
      input.value = String(view.state.doc.lineAt(view.state.selection.main.head).number);
      input.select();
    },
    update: ({ docChanged }) => {
      if (docChanged) say();
    },
  };
}

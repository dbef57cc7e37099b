import {
  defaultKeymap,
  history,
  historyKeymap,
  indentLess,
  indentMore,
  insertTab,
} from "@codemirror/commands";
import { bracketMatching, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { highlightSelectionMatches, selectNextOccurrence } from "@codemirror/search";
import { Compartment, EditorSelection, EditorState, type Extension } from "@codemirror/state";
import {
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import { caret } from "./caret.js";
import { caretInSight } from "./caret-in-sight.js";
import { finding } from "./find/finding.js";
import { foldMarks } from "./fold-marks.js";
import { goingToLine } from "./go-to-line.js";
import type { Indentation } from "./indentation.js";
import { specialCharacters } from "./special-characters.js";
import { theme } from "./theme.js";

/** What can change while a document is open. */
export const slots = {
  language: new Compartment(),
  indentation: new Compartment(),
  wrap: new Compartment(),
  readOnly: new Compartment(),
  label: new Compartment(),
  /** What language servers know of the text. */
  knowledge: new Compartment(),
};

/** Everything an editor of files has, but its text's own. */
export const setup: Extension = [
  lineNumbers(),
  foldMarks,
  highlightActiveLine(),
  highlightActiveLineGutter(),
  specialCharacters,
  history({ newGroupDelay: 400 }),
  caret,
  caretInSight,
  dropCursor(),
  EditorState.allowMultipleSelections.of(true),
  EditorView.clickAddsSelectionRange.of((event) => event.altKey && !event.shiftKey),
  rectangularSelection({ eventFilter: (event) => event.altKey && event.shiftKey }),
  indentOnInput(),
  bracketMatching(),
  highlightSelectionMatches({ minSelectionLength: 2, maxMatches: 200 }),
  finding,
  goingToLine,
  theme,
  keymap.of([
    { key: "Mod-d", run: selectNextOccurrence, preventDefault: true },
    // Escape, then Tab, moves on: CodeMirror lets the next Tab through.
    { key: "Tab", run: tab, shift: indentLess },
    ...defaultKeymap,
    ...historyKeymap,
    ...foldKeymap,
  ]),
  slots.language.of([]),
  slots.indentation.of([]),
  slots.wrap.of([]),
  slots.readOnly.of([]),
  slots.label.of([]),
  slots.knowledge.of([]),
];

export const indentation = ({ insertSpaces, size }: Indentation): Extension => [
  EditorState.tabSize.of(size),
  indentUnit.of(insertSpaces ? " ".repeat(size) : "\t"),
];

/** Says which file it is and how to leave it by keyboard, to those who cannot see it. */
export const label = (name: string): Extension =>
  EditorView.contentAttributes.of({
    tabindex: "0",
    "aria-label": `${name}, editor. Press Escape, then Tab, to leave it.`,
  });

/** It can still be selected, copied and searched. */
export const readOnly = (why: string | null): Extension =>
  why === null ? [] : EditorState.readOnly.of(true);

/** Indents the selected lines, or goes to the next step of indentation. */
export function tab(view: EditorView): boolean {
  const { state } = view;
  if (state.readOnly) return false;
  if (state.selection.ranges.some(({ empty }) => !empty)) return indentMore(view);
  const unit = state.facet(indentUnit);
  if (unit === "\t") return insertTab(view);
  view.dispatch(
    state.update(
      state.changeByRange((range) => {
        const column = range.from - state.doc.lineAt(range.from).from;
        const insert = " ".repeat(unit.length - (column % unit.length));
        return { changes: { from: range.from, insert }, range: move(range.from + insert.length) };
      }),
      { scrollIntoView: true, userEvent: "input" },
    ),
  );
  return true;
}

const move = (to: number) => EditorSelection.cursor(to);

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { highlightSelectionMatches, selectNextOccurrence } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { dropCursor, EditorView, keymap, rectangularSelection } from "@codemirror/view";
import { caret } from "../editor/caret.js";
import { slots, tab } from "../editor/setup.js";
import { specialCharacters } from "../editor/special-characters.js";
import { theme } from "../editor/theme.js";

/** As tall as its text, and a part of the cell. */
const look = EditorView.theme({
  "&": { height: "auto", backgroundColor: "transparent" },
  ".cm-scroller": { overflowX: "auto" },
  ".cm-content": { padding: "var(--space-2) 0" },
  ".cm-line": { padding: "0 var(--space-3)" },
});

/** What the editor of a cell has: that of files without what belongs to a whole file. */
export const cellSetup: Extension = [
  look,
  specialCharacters,
  history({ newGroupDelay: 400 }),
  caret,
  dropCursor(),
  EditorState.allowMultipleSelections.of(true),
  EditorView.clickAddsSelectionRange.of((event) => event.altKey && !event.shiftKey),
  rectangularSelection({ eventFilter: (event) => event.altKey && event.shiftKey }),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightSelectionMatches({ minSelectionLength: 2, maxMatches: 100 }),
  theme,
  keymap.of([
    { key: "Mod-d", run: selectNextOccurrence, preventDefault: true },
    { key: "Tab", run: tab, shift: indentLess },
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...historyKeymap,
  ]),
  slots.language.of([]),
  slots.indentation.of([]),
  slots.wrap.of([]),
  slots.readOnly.of([]),
  slots.label.of([]),
];

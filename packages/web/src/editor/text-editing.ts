import { defaultKeymap, history, historyKeymap, indentLess } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { selectNextOccurrence } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { dropCursor, EditorView, type KeyBinding, rectangularSelection } from "@codemirror/view";
import { caret } from "./caret.js";
import { specialCharacters } from "./special-characters.js";
import { tab } from "./tab.js";

/** What every text has that is edited: a file's, a cell's. */
export const textEditing: Extension = [
  specialCharacters,
  history({ newGroupDelay: 400 }),
  caret,
  dropCursor(),
  EditorState.allowMultipleSelections.of(true),
  EditorView.clickAddsSelectionRange.of((event) => event.altKey && !event.shiftKey),
  rectangularSelection({ eventFilter: (event) => event.altKey && event.shiftKey }),
  indentOnInput(),
  bracketMatching(),
];

export const editingKeys: readonly KeyBinding[] = [
  { key: "Mod-d", run: selectNextOccurrence, preventDefault: true },
  // Escape, then Tab, moves on: CodeMirror lets the next Tab through.
  { key: "Tab", run: tab, shift: indentLess },
  ...defaultKeymap,
  ...historyKeymap,
];

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { highlightSelectionMatches } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { slots } from "../editor/setup.js";
import { editingKeys, textEditing } from "../editor/text-editing.js";
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
  textEditing,
  closeBrackets(),
  highlightSelectionMatches({ minSelectionLength: 2, maxMatches: 100 }),
  theme,
  keymap.of([...closeBracketsKeymap, ...editingKeys]),
  slots.language.of([]),
  slots.indentation.of([]),
  slots.wrap.of([]),
  slots.readOnly.of([]),
  slots.label.of([]),
];

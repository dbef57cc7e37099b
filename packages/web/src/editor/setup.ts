import { foldKeymap, indentUnit } from "@codemirror/language";
import { highlightSelectionMatches } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { caretInSight } from "./caret-in-sight.js";
import { finding } from "./find/finding.js";
import { foldMarks } from "./fold-marks.js";
import { goingToLine } from "./go-to-line.js";
import type { Indentation } from "./indentation.js";
import { editingKeys, textEditing } from "./text-editing.js";
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
  textEditing,
  caretInSight,
  highlightSelectionMatches({ minSelectionLength: 2, maxMatches: 200 }),
  finding,
  goingToLine,
  theme,
  keymap.of([...editingKeys, ...foldKeymap]),
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

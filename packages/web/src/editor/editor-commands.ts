import {
  addCursorAbove,
  addCursorBelow,
  copyLineDown,
  copyLineUp,
  deleteLine,
  moveLineDown,
  moveLineUp,
  redo,
  toggleComment,
  undo,
} from "@codemirror/commands";
import { foldAll, foldCode, unfoldAll, unfoldCode } from "@codemirror/language";
import {
  findNext,
  findPrevious,
  openSearchPanel,
  selectNextOccurrence,
  selectSelectionMatches,
} from "@codemirror/search";
import type { EditorView } from "@codemirror/view";
import { addCommands, type Command, isMac } from "../commands.js";
import { showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { setReplaceShown } from "./find/replace-shown.js";
import { openGoToLine } from "./go-to-line.js";
import { shownView } from "./shown.js";

/** A document is shown, and the person does not type elsewhere. The palette is a dialog over it. */
function isAtHand(): boolean {
  const view = shownView();
  const at = document.activeElement;
  if (!view) return false;
  if (view.dom.contains(at) || at?.closest("dialog")) return true;
  return !at?.closest("input, textarea, select, [contenteditable], .xterm");
}

/** The person is in the text, or was when the palette opened. */
const isEditing = (): boolean => {
  const at = document.activeElement;
  return shownView() !== null && Boolean(at?.closest(".cm-content, dialog"));
};

type Action = (view: EditorView) => unknown;

const command =
  (when: () => boolean) =>
  (id: string, title: string, keys: readonly string[], action: Action): Command => ({
    id: `editor.${id}`,
    title,
    keys,
    when,
    run: () => {
      const view = shownView();
      if (view) action(view);
    },
  });
const general = command(isAtHand);
/** These leave the person in the text, wherever they were called from. */
const editing = (id: string, title: string, keys: readonly string[], action: Action): Command =>
  command(isEditing)(id, title, keys, (view) => {
    action(view);
    view.focus();
  });

const find = (view: EditorView, replace: boolean) => {
  if (replace) setReplaceShown(true);
  openSearchPanel(view);
};
const toggleWrap = () =>
  call("settings.set", {
    scope: "user",
    name: "wordWrap",
    value: !state().settings.now.wordWrap,
  }).catch(showProblem);

addCommands([
  general("focus", "View: Focus Editor", [], (view) => view.focus()),
  general("find", "Edit: Find", ["Mod+KeyF"], (view) => find(view, false)),
  general("replace", "Edit: Replace", [isMac ? "Mod+Alt+KeyF" : "Mod+KeyH"], (view) =>
    find(view, true),
  ),
  general("findNext", "Edit: Find Next", isMac ? ["F3", "Mod+KeyG"] : ["F3"], findNext),
  general(
    "findPrevious",
    "Edit: Find Previous",
    isMac ? ["Shift+F3", "Mod+Shift+KeyG"] : ["Shift+F3"],
    findPrevious,
  ),
  general("goToLine", "Go: Go to Line…", [isMac ? "Ctrl+KeyG" : "Mod+KeyG"], openGoToLine),
  general("foldAll", "Edit: Fold All", [], foldAll),
  general("unfoldAll", "Edit: Unfold All", [], unfoldAll),
  general("toggleWordWrap", "View: Toggle Word Wrap", ["Alt+KeyZ"], toggleWrap),
  { ...editing("undo", "Edit: Undo", [], undo), ownKeys: ["Mod+KeyZ"] },
  {
    ...editing("redo", "Edit: Redo", [], redo),
    ownKeys: isMac ? ["Mod+Shift+KeyZ"] : ["Mod+KeyY", "Mod+Shift+KeyZ"],
  },
  editing("fold", "Edit: Fold", ["Mod+Shift+BracketLeft"], foldCode),
  editing("unfold", "Edit: Unfold", ["Mod+Shift+BracketRight"], unfoldCode),
  editing("toggleComment", "Edit: Toggle Comment", ["Mod+Slash"], toggleComment),
  editing(
    "selectNextOccurrence",
    "Edit: Select Next Occurrence",
    ["Mod+KeyD"],
    selectNextOccurrence,
  ),
  editing(
    "selectAllOccurrences",
    "Edit: Select All Occurrences",
    ["Mod+Shift+KeyL"],
    selectAllOccurrences,
  ),
  editing("addCursorAbove", "Edit: Add Cursor Above", ["Mod+Alt+ArrowUp"], addCursorAbove),
  editing("addCursorBelow", "Edit: Add Cursor Below", ["Mod+Alt+ArrowDown"], addCursorBelow),
  editing("moveLineUp", "Edit: Move Line Up", ["Alt+ArrowUp"], moveLineUp),
  editing("moveLineDown", "Edit: Move Line Down", ["Alt+ArrowDown"], moveLineDown),
  editing("copyLineUp", "Edit: Copy Line Up", ["Alt+Shift+ArrowUp"], copyLineUp),
  editing("copyLineDown", "Edit: Copy Line Down", ["Alt+Shift+ArrowDown"], copyLineDown),
  editing("deleteLine", "Edit: Delete Line", ["Mod+Shift+KeyK"], deleteLine),
]);

/** Of the selection, or of the word at the cursor. */
function selectAllOccurrences(view: EditorView): void {
  const { selection } = view.state;
  if (selection.main.empty) selectNextOccurrence(view);
  selectSelectionMatches(view);
}

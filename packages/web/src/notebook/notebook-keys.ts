import { EditorView } from "@codemirror/view";
import { chordOf } from "../commands.js";
import {
  insertCell,
  mergeCell,
  moveCell,
  redoCells,
  removeCell,
  runAndInsert,
  runAndStep,
  runCells,
  setKind,
  splitCell,
  undoCells,
} from "./actions.js";
import type { NotebookSession } from "./session.js";

/** Two presses of a key are one command if no more time is between them. */
const DOUBLE_MS = 700;

type Act = (session: NotebookSession, key: string) => unknown;

const step =
  (by: 1 | -1): Act =>
  (session, key) => {
    const next = session.keys[session.keys.indexOf(key) + by];
    if (next !== undefined) session.select(next, "command");
  };
const jump =
  (to: 0 | -1): Act =>
  (session) => {
    const next = session.keys.at(to);
    if (next !== undefined) session.select(next, "command");
  };

/** In a cell's text and outside of it. */
const ANYWHERE: Readonly<Record<string, Act>> = {
  "Shift+Enter": runAndStep,
  "Mod+Enter": (session, key) => {
    session.select(key, "command");
    return runCells(session, [key]);
  },
  "Alt+Enter": runAndInsert,
  "Mod+Shift+Minus": splitCell,
};

/** Where a whole cell has the focus, as in Jupyter. */
const COMMAND: Readonly<Record<string, Act>> = {
  Enter: (session, key) => {
    if (session.cell(key)?.kind === "markdown") session.setEdited(key, true);
    session.select(key, "edit");
  },
  ArrowUp: step(-1),
  KeyK: step(-1),
  ArrowDown: step(1),
  KeyJ: step(1),
  Home: jump(0),
  End: jump(-1),
  "Alt+ArrowUp": (session, key) => moveCell(session, key, -1),
  "Alt+ArrowDown": (session, key) => moveCell(session, key, 1),
  KeyA: (session) => insertCell(session, "above"),
  KeyB: (session) => insertCell(session, "below"),
  KeyM: (session, key) => setKind(session, key, "markdown"),
  KeyY: (session, key) => setKind(session, key, "code"),
  KeyR: (session, key) => setKind(session, key, "raw"),
  "Shift+KeyM": (session, key) => mergeCell(session, key, "below"),
  KeyZ: undoCells,
  "Mod+KeyZ": undoCells,
  "Shift+KeyZ": redoCells,
  "Mod+Shift+KeyZ": redoCells,
};

let lastD = 0;

/** Hears the keys of a notebook before the editor of a cell does. */
export function onNotebookKey(session: NotebookSession, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || !(event.target instanceof HTMLElement)) return;
  const cell = event.target.closest<HTMLElement>(".nb-cell");
  const key = cell?.dataset.key;
  if (!cell || key === undefined) return;
  const isText = event.target.closest(".cm-content") !== null;
  const act =
    ANYWHERE[chordOf(event)] ?? (isText ? inText(session, key, event) : inCell(cell, event));
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  void act(session, key);
}

function inCell(cell: HTMLElement, event: KeyboardEvent): Act | undefined {
  // A button in the cell has its own keys.
  const isCell = event.target === cell;
  const chord = chordOf(event);
  if (!isCell && (chord === "Enter" || chord === "Space" || event.key.startsWith("Arrow"))) return;
  if (chord !== "KeyD") {
    lastD = 0;
    return COMMAND[chord];
  }
  const isSecond = event.timeStamp - lastD < DOUBLE_MS && !event.repeat;
  lastD = isSecond ? 0 : event.timeStamp;
  return isSecond ? removeCell : () => {};
}

/** Escape leaves the text; the arrows go on in the next cell where the text ends. */
function inText(session: NotebookSession, key: string, event: KeyboardEvent): Act | undefined {
  const chord = chordOf(event);
  if (chord === "Escape") return () => session.select(key, "command");
  if (chord !== "ArrowUp" && chord !== "ArrowDown") return undefined;
  const by = chord === "ArrowUp" ? -1 : 1;
  const next = session.keys[session.keys.indexOf(key) + by];
  if (next === undefined || !isAtEdge(event.target as HTMLElement, by)) return undefined;
  const kind = session.cell(next)?.kind;
  const isRead = kind === "markdown" && !session.isEdited(next);
  return () => session.select(next, isRead ? "command" : "edit");
}

/** The caret is in the first or the last line, and nothing is selected. */
function isAtEdge(content: HTMLElement, by: 1 | -1): boolean {
  const view = EditorView.findFromDOM(content);
  if (!view) return false;
  const { selection, doc } = view.state;
  if (selection.ranges.length > 1 || !selection.main.empty) return false;
  const { number } = doc.lineAt(selection.main.head);
  return by < 0 ? number === 1 : number === doc.lines;
}

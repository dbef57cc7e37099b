import { deleteCharBackward, insertNewlineAndIndent } from "@codemirror/commands";
import { EditorView } from "@codemirror/view";
import { chordOf } from "../commands.js";
import { tab } from "../editor/tab.js";
import {
  copyCell,
  cutCell,
  insertCell,
  mergeCell,
  moveCell,
  pasteCells,
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
  KeyC: copyCell,
  KeyX: cutCell,
  KeyV: pasteCells,
  KeyM: (session, key) => setKind(session, key, "markdown"),
  KeyY: (session, key) => setKind(session, key, "code"),
  KeyR: (session, key) => setKind(session, key, "raw"),
  "Shift+KeyM": (session, key) => mergeCell(session, key, "below"),
  KeyZ: undoCells,
  "Mod+KeyZ": undoCells,
  "Shift+KeyZ": redoCells,
  "Mod+Shift+KeyZ": redoCells,
};

/** A key that was pressed, and where. */
interface Pressed {
  readonly chord: string;
  /** The character that it writes, if it does. */
  readonly letter: string | null;
  readonly repeated: boolean;
  readonly at: number;
}

/**
 * The keys of a notebook, which it hears before the editor of a cell does. What a key does may take the
 * workbench a moment, such as a new cell; keys that are pressed meanwhile wait and then mean what they
 * would have meant a moment later, so that nothing that is typed quickly goes astray.
 */
export class NotebookKeys {
  readonly #session: NotebookSession;
  readonly #waiting: Pressed[] = [];
  #isBusy = false;
  #lastD = 0;

  constructor(session: NotebookSession) {
    this.#session = session;
  }

  hear(event: KeyboardEvent): void {
    const { target } = event;
    if (event.defaultPrevented || event.isComposing || !(target instanceof HTMLElement)) return;
    const cell = target.closest<HTMLElement>(".nb-cell");
    const key = cell?.dataset.key;
    if (!cell || key === undefined || isModifier(event)) return;
    const isText = target.closest(".cm-content") !== null;
    const pressed = pressedBy(event);
    // A button or a link in the cell has its own keys.
    if (!isText && target !== cell && OWN.test(pressed.chord)) return;
    const isComing = !isText && this.#session.mode === "edit";
    if (this.#isBusy || isComing) this.#waiting.push(pressed);
    else {
      const act = isText ? inText(this.#session, key, pressed, target) : this.#inCell(pressed);
      if (!act) return;
      void this.#run(() => act(this.#session, key));
    }
    event.preventDefault();
    event.stopPropagation();
    if (isComing && !this.#isBusy) void this.#run(() => {});
  }

  /** Then does what was asked for meanwhile. */
  async #run(act: () => unknown): Promise<void> {
    this.#isBusy = true;
    try {
      await act();
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
        await this.#late(next);
      }
    } finally {
      this.#waiting.length = 0;
      this.#isBusy = false;
    }
  }

  async #late(pressed: Pressed): Promise<void> {
    const key = this.#session.selected;
    if (key === null) return;
    if (this.#session.mode === "command") {
      await this.#inCell(pressed)?.(this.#session, key);
      return;
    }
    const view = await editorOf(this.#session, key);
    if (!view) return;
    const act = inText(this.#session, key, pressed, view.contentDOM);
    if (act) await act(this.#session, key);
    else writeLate(view, pressed);
  }

  #inCell(pressed: Pressed): Act | undefined {
    const { chord, repeated, at } = pressed;
    if (chord !== "KeyD") {
      this.#lastD = 0;
      return ANYWHERE[chord] ?? COMMAND[chord];
    }
    const isSecond = at - this.#lastD < DOUBLE_MS && !repeated;
    this.#lastD = isSecond ? 0 : at;
    return isSecond ? removeCell : () => {};
  }
}

/** Keys that a button or a link knows. */
const OWN = /^(?:Enter|Space|Arrow\w+)$/;
const isModifier = ({ key }: KeyboardEvent) => ["Shift", "Control", "Alt", "Meta"].includes(key);

function pressedBy(event: KeyboardEvent): Pressed {
  const { key, repeat, timeStamp, ctrlKey, altKey, metaKey } = event;
  const isLetter = [...key].length === 1 && !ctrlKey && !altKey && !metaKey;
  return {
    chord: chordOf(event),
    letter: isLetter ? key : null,
    repeated: repeat,
    at: timeStamp,
  };
}

/** How often it is looked whether the editor of a cell is there; it is after a frame or two. */
const LOOKS = 30;

async function editorOf(session: NotebookSession, key: string): Promise<EditorView | null> {
  const cell = await session.open(key).catch(() => null);
  for (let looks = 0; cell && !cell.view && looks < LOOKS; looks++) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  cell?.view?.focus();
  return cell?.view ?? null;
}

/** What a key writes into a text, for one that was pressed before the text was there. */
function writeLate(view: EditorView, { chord, letter }: Pressed): void {
  if (letter !== null) {
    view.dispatch(view.state.replaceSelection(letter), { userEvent: "input.type" });
  } else if (chord === "Enter") insertNewlineAndIndent(view);
  else if (chord === "Backspace") deleteCharBackward(view);
  else if (chord === "Tab") tab(view);
}

/** Escape leaves the text; the arrows go on in the next cell where the text ends. */
function inText(
  session: NotebookSession,
  key: string,
  { chord }: Pressed,
  target: HTMLElement,
): Act | undefined {
  if (ANYWHERE[chord]) return ANYWHERE[chord];
  if (chord === "Escape") return () => session.select(key, "command");
  if (chord !== "ArrowUp" && chord !== "ArrowDown") return undefined;
  const by = chord === "ArrowUp" ? -1 : 1;
  const next = session.keys[session.keys.indexOf(key) + by];
  if (next === undefined || !isAtEdge(target, by)) return undefined;
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

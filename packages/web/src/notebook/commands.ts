import { createSignal } from "solid-js";
import { addCommands, type Command } from "../commands.js";
import { state } from "../replica/state.js";
import { view } from "../replica/view.js";
import {
  clearOutputs,
  copyCell,
  cutCell,
  insertCell,
  interrupt,
  mergeCell,
  moveCell,
  pasteCells,
  redoCells,
  removeCell,
  restart,
  restartAndRunAll,
  runAll,
  runAndInsert,
  runAndStep,
  runCells,
  setKind,
  splitCell,
  undoCells,
} from "./actions.js";
import { isShownAsCells, isShownAsText, showAsText } from "./as-text.js";
import type { NotebookSession } from "./session.js";

const [shown, setShown] = createSignal<NotebookSession | null>(null);
export const setShownNotebook = (next: NotebookSession | null): void => void setShown(() => next);

/** With the cell that the person is in. The keys are heard by the notebook itself. */
const ofCell = (
  id: string,
  title: string,
  act: (session: NotebookSession, key: string) => unknown,
  ...ownKeys: readonly string[]
): Command => ({
  id: `notebook.${id}`,
  title: `Notebook: ${title}`,
  ownKeys,
  when: () => shown()?.selected != null,
  run: () => {
    const session = shown();
    const key = session?.selected;
    if (session && key != null) void act(session, key);
  },
});
const ofNotebook = (
  id: string,
  title: string,
  act: (session: NotebookSession) => unknown,
  ...ownKeys: readonly string[]
): Command => ({
  id: `notebook.${id}`,
  title: `Notebook: ${title}`,
  ownKeys,
  when: () => shown() !== null,
  run: () => {
    const session = shown();
    if (session) void act(session);
  },
});

const shownDocument = () => {
  const now = view();
  return now.kind === "document" ? now.uri : null;
};

addCommands([
  ofCell("run", "Run Cell", (session, key) => runCells(session, [key]), "Mod+Enter"),
  ofCell("runAndStep", "Run Cell and Go to the Next", runAndStep, "Shift+Enter"),
  ofCell("runAndInsert", "Run Cell and Insert One Below", runAndInsert, "Alt+Enter"),
  ofNotebook("runAll", "Run All Cells", runAll),
  ofNotebook("interrupt", "Interrupt the Kernel", interrupt),
  ofNotebook("restart", "Restart the Kernel…", restart),
  ofNotebook("restartAndRunAll", "Restart the Kernel and Run All Cells…", restartAndRunAll),
  ofNotebook("clearOutputs", "Clear All Outputs", (session) => clearOutputs(session)),
  ofCell("clearOutput", "Clear the Cell’s Outputs", (session, key) => clearOutputs(session, [key])),
  ofNotebook("insertAbove", "Insert Cell Above", (session) => insertCell(session, "above"), "KeyA"),
  ofNotebook("insertBelow", "Insert Cell Below", (session) => insertCell(session, "below"), "KeyB"),
  ofCell("remove", "Delete Cell", removeCell, "KeyD+KeyD"),
  ofCell("copy", "Copy Cell", copyCell, "KeyC"),
  ofCell("cut", "Cut Cell", cutCell, "KeyX"),
  ofNotebook("paste", "Paste Cell Below", pasteCells, "KeyV"),
  ofCell("moveUp", "Move Cell Up", (session, key) => moveCell(session, key, -1), "Alt+ArrowUp"),
  ofCell(
    "moveDown",
    "Move Cell Down",
    (session, key) => moveCell(session, key, 1),
    "Alt+ArrowDown",
  ),
  ofCell("toCode", "Make It a Code Cell", (session, key) => setKind(session, key, "code"), "KeyY"),
  ofCell(
    "toMarkdown",
    "Make It a Text Cell",
    (session, key) => setKind(session, key, "markdown"),
    "KeyM",
  ),
  ofCell("toRaw", "Make It a Raw Cell", (session, key) => setKind(session, key, "raw"), "KeyR"),
  ofCell("split", "Split Cell at the Cursor", splitCell, "Mod+Shift+Minus"),
  ofCell("mergeAbove", "Merge with the Cell Above", (session, key) =>
    mergeCell(session, key, "above"),
  ),
  ofCell(
    "mergeBelow",
    "Merge with the Cell Below",
    (session, key) => mergeCell(session, key, "below"),
    "Shift+KeyM",
  ),
  ofNotebook("undo", "Undo What Was Done to Cells", undoCells, "KeyZ"),
  ofNotebook("redo", "Redo What Was Done to Cells", redoCells, "Shift+KeyZ"),
  {
    id: "notebook.openAsText",
    title: "Notebook: Open as Text",
    when: () => {
      const uri = shownDocument();
      return uri !== null && isShownAsCells(uri);
    },
    run: () => {
      const uri = shownDocument();
      if (uri) showAsText(uri, true);
    },
  },
  {
    id: "notebook.openAsNotebook",
    title: "Notebook: Open as Notebook",
    when: () => {
      const uri = shownDocument();
      return uri !== null && uri in state().notebooks && isShownAsText(uri);
    },
    run: () => {
      const uri = shownDocument();
      if (uri) showAsText(uri, false);
    },
  },
]);

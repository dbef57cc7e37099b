import type { CellKind } from "@lockstep/workbench/contract";
import { ask, showProblem, showToast } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { editsArrived } from "../shell/unsent-edits.js";
import type { NotebookSession } from "./session.js";

/** Does something that the workbench may refuse with a sentence. */
async function attempt(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (problem) {
    showProblem(problem);
  }
}

/** The cell that the person is in, with its place. */
function here(session: NotebookSession): { readonly key: string; readonly index: number } | null {
  const key = session.selected;
  return key === null ? null : { key, index: session.keys.indexOf(key) };
}

export type Where = "above" | "below";

/** A new cell beside the one that the person is in, who is in the new one then. */
export const insertCell = (session: NotebookSession, where: Where, kind: CellKind = "code") =>
  attempt(async () => {
    const index = here(session)?.index ?? -1;
    const at = Math.max(0, where === "above" ? index : index + 1);
    const { key } = await call("notebook.insert", { uri: session.uri, at, kind, source: "" });
    if (kind === "markdown") session.setEdited(key, true);
    session.select(key, "command");
  });

export const removeCell = (session: NotebookSession, key: string) =>
  attempt(async () => {
    await call("notebook.remove", { uri: session.uri, keys: [key] });
    if (session.keys.length === 0) await insertCell(session, "below");
  });

/** The cells that this window has copied, as JSON. */
let copied: readonly string[] = [];

export const copyCell = (session: NotebookSession, key: string) =>
  attempt(async () => {
    await editsArrived();
    copied = await call("notebook.copy", { uri: session.uri, keys: [key] });
  });

export async function cutCell(session: NotebookSession, key: string): Promise<void> {
  await copyCell(session, key);
  await removeCell(session, key);
}

export const pasteCells = (session: NotebookSession) =>
  attempt(async () => {
    if (copied.length === 0) return void showToast({ text: "No cell has been copied yet." });
    const at = (here(session)?.index ?? -1) + 1;
    const keys = await call("notebook.paste", { uri: session.uri, at, cells: [...copied] });
    const last = keys.at(-1);
    if (last !== undefined) session.select(last, "command");
  });

export const moveCell = (session: NotebookSession, key: string, step: 1 | -1) =>
  attempt(async () => {
    const to = session.keys.indexOf(key) + step;
    if (to < 0 || to >= session.keys.length) return;
    await call("notebook.move", { uri: session.uri, key, to });
  });

export const setKind = (session: NotebookSession, key: string, kind: CellKind) =>
  attempt(async () => {
    await editsArrived();
    if (kind === "markdown") session.setEdited(key, true);
    await call("notebook.setKind", { uri: session.uri, key, kind });
  });

/** At the cursor. */
export const splitCell = (session: NotebookSession, key: string) =>
  attempt(async () => {
    const cell = await session.open(key);
    const at = cell.state.selection.main.head;
    await editsArrived();
    const made = await call("notebook.split", { uri: session.uri, key, at });
    if (session.isEdited(key)) session.setEdited(made.key, true);
    session.select(made.key, "edit");
  });

export const mergeCell = (session: NotebookSession, key: string, where: Where) =>
  attempt(async () => {
    const upper = where === "below" ? key : session.keys[session.keys.indexOf(key) - 1];
    if (upper === undefined) return;
    await editsArrived();
    await call("notebook.merge", { uri: session.uri, key: upper });
    session.select(upper, "command");
  });

export const clearOutputs = (session: NotebookSession, keys?: readonly string[]) =>
  attempt(() =>
    call("notebook.clearOutputs", { uri: session.uri, ...(keys ? { keys: [...keys] } : {}) }),
  );

export const undoCells = (session: NotebookSession) =>
  attempt(async () => {
    await editsArrived();
    const done = await call("notebook.undo", { uri: session.uri });
    if (!done) showToast({ text: "Nothing was done to cells that could be undone." });
  });

export const redoCells = (session: NotebookSession) =>
  attempt(() => call("notebook.redo", { uri: session.uri }));

/** Runs a cell; a markdown cell is shown as it is read instead. */
export const runCells = (session: NotebookSession, keys: readonly string[]) =>
  attempt(async () => {
    for (const key of keys) session.setEdited(key, false);
    await editsArrived();
    await call("notebook.run", { uri: session.uri, keys: [...keys] });
  });

export const runAll = (session: NotebookSession) => runCells(session, session.keys);

/** Runs the cell and goes to the next one, which is made if there is none. */
export async function runAndStep(session: NotebookSession, key: string): Promise<void> {
  void runCells(session, [key]);
  const next = session.keys[session.keys.indexOf(key) + 1];
  if (next === undefined) await insertCell(session, "below");
  else session.select(next, "command");
}

export async function runAndInsert(session: NotebookSession, key: string): Promise<void> {
  void runCells(session, [key]);
  session.select(key, "command");
  await insertCell(session, "below");
}

export const interrupt = (session: NotebookSession) =>
  attempt(() => call("notebook.interrupt", { uri: session.uri }));

/** Asks first: what the kernel has computed is lost. Answers whether it was done. */
export async function restart(session: NotebookSession): Promise<boolean> {
  const { status } = state().notebooks[session.uri]?.kernel ?? {};
  if (status === "idle" || status === "busy") {
    const answer = await ask({
      title: "Restart the kernel?",
      text: "All variables are lost. The cells and their outputs stay.",
      choices: [{ answer: "restart", label: "Restart", kind: "danger" }],
    });
    if (answer === null) return false;
  }
  try {
    await call("notebook.restart", { uri: session.uri });
    return true;
  } catch (problem) {
    showProblem(problem);
    return false;
  }
}

export async function restartAndRunAll(session: NotebookSession): Promise<void> {
  if (await restart(session)) await runAll(session);
}

export const chooseKernel = (session: NotebookSession, kernel: string) =>
  attempt(() => call("notebook.chooseKernel", { uri: session.uri, kernel }));

import { fileUri } from "@lockstep/protocol";
import { runCommand } from "../commands.js";
import { showProblem, showToast } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { openFile } from "../replica/view.js";
import { nameOf } from "./paths.js";

/** What a person does to files; each step can be taken back by {@link undoFileOperation}. */

export async function createAt(path: string, what: "file" | "folder"): Promise<void> {
  await call("files.create", { uri: fileUri(path), kind: what });
  if (what === "file") await openFile(fileUri(path), { preview: false });
}

export async function renameTo(from: string, to: string): Promise<void> {
  await call("files.rename", { from: fileUri(from), to: fileUri(to) });
}

export async function deleteAt(path: string): Promise<void> {
  try {
    await call("files.delete", { uris: [fileUri(path)] });
    showToast({
      text: `Deleted ${nameOf(path)}`,
      action: { label: "Undo", run: () => void undoFileOperation() },
    });
  } catch (problem) {
    showProblem(problem);
  }
}

export async function undoFileOperation(): Promise<void> {
  try {
    const label = await call("files.undo", {});
    showToast({ text: label === null ? "There is nothing to undo." : `Undone: ${label}` });
  } catch (problem) {
    showProblem(problem);
  }
}

export async function mentionAt(path: string): Promise<void> {
  try {
    const { agents } = await call("mention", { uri: fileUri(path) });
    const name = nameOf(path);
    showToast({
      text:
        agents === 0
          ? `${name} will be mentioned to the next agent that connects.`
          : `Mentioned ${name}.`,
    });
  } catch (problem) {
    showProblem(problem);
  }
}

export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ text: `Copied ${what}` });
  } catch {
    showToast({ text: `The browser did not let ${what} be copied.`, tone: "warn" });
  }
}

/** From the workspace on; the whole path if it is elsewhere. */
export function relativePath(path: string): string {
  const root = state().workspace.folders.find((folder) => path.startsWith(folder.path));
  return root ? path.slice(root.path.length).replace(/^[/\\]/, "") : path;
}

/** A preview leaves the focus where it is; a file that is to stay gets it. */
export async function openAt(path: string, preview: boolean): Promise<void> {
  try {
    await openFile(fileUri(path), { preview });
    if (!preview) runCommand("focus.middle");
  } catch (problem) {
    showProblem(problem);
  }
}

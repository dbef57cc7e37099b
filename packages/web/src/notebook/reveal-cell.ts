import { showProblem, showToast } from "../design/index.js";
import { call } from "../replica/link.js";
import { askReveal, type Reveal } from "../replica/view.js";
import { showAsText } from "./as-text.js";
import type { NotebookSession } from "./session.js";

/** A place in the file is a place in one of its cells, or in what cells do not show. */
export async function revealCell(
  session: NotebookSession,
  wanted: Reveal,
  root: HTMLElement,
): Promise<void> {
  const { uri, range } = wanted;
  try {
    const key = await call("notebook.cellAt", { uri, ...range.start });
    if (key === null) return offerText(wanted);
    session.select(key, "command");
    const cell = root.querySelector(`[data-key="${CSS.escape(key)}"]`);
    cell?.scrollIntoView({ block: "center" });
  } catch (problem) {
    showProblem(problem);
  }
}

function offerText(wanted: Reveal): void {
  const open = () => {
    showAsText(wanted.uri, true);
    askReveal(wanted);
  };
  const text = `Line ${wanted.range.start.line + 1} of the file is in none of its cells.`;
  showToast({ text, action: { label: "Open as text", run: open } });
}

import { EditorSelection } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { showProblem, showToast } from "../design/index.js";
import { documentOf } from "../editor/document-of.js";
import { allProblems } from "../problems/all-problems.js";
import { type PlacedProblem, problemFrom } from "../problems/problem-marks.js";
import { openFile } from "../replica/view.js";
import { showProblemAt } from "./hover.js";
import { leave } from "./navigation.js";

/** Goes to the next problem in the text; behind its last one, to the first of the next file. */
export async function goToProblem(view: EditorView, step: 1 | -1): Promise<void> {
  const here = problemFrom(view, view.state.selection.main.head, step);
  if (here) return show(view, here);
  const file = nextFile(view, step);
  if (file) {
    const sorted = file.items
      .filter(({ severity }) => severity !== "hint")
      .sort(({ range: { start: a } }, { range: { start: b } }) => {
        return a.line - b.line || a.character - b.character;
      });
    const problem = step > 0 ? sorted[0] : sorted.at(-1);
    leave();
    if (problem) {
      const { start } = problem.range;
      await openFile(file.uri, { range: { start, end: start } }).catch(showProblem);
    }
    return;
  }
  const around = problemFrom(view, step > 0 ? -1 : view.state.doc.length + 1, step);
  if (around) show(view, around);
  else showToast({ text: "No problems." });
}

function nextFile(view: EditorView, step: 1 | -1) {
  const uri = view.state.facet(documentOf)?.uri;
  const files = allProblems()
    .filter((file) => file.uri === uri || file.items.some(({ severity }) => severity !== "hint"))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const now = files.findIndex((file) => file.uri === uri);
  const next = files[(now + step + files.length) % files.length];
  return next && next.uri !== uri ? next : null;
}

function show(view: EditorView, problem: PlacedProblem): void {
  leave();
  view.dispatch({
    selection: EditorSelection.cursor(problem.from),
    effects: EditorView.scrollIntoView(problem.from, { y: "nearest", yMargin: 80 }),
    userEvent: "select",
  });
  showProblemAt(view, problem);
}

import {
  type ChangeDesc,
  type Extension,
  Facet,
  Prec,
  RangeSet,
  StateEffect,
  StateField,
  type Text,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter } from "@codemirror/view";
import type { FileProblems, Problem } from "@lockstep/workbench/contract";
import { shownText } from "../design/shown-text.js";
import { offsetOf } from "../editor/text-places.js";

/** A problem where it is now. */
export interface PlacedProblem {
  readonly problem: Problem;
  readonly from: number;
  readonly to: number;
}

interface Marks {
  /** What they were made of. */
  readonly file: FileProblems | null;
  readonly inText: DecorationSet;
  readonly inGutter: RangeSet<GutterMarker>;
}

const SEVERITIES = ["error", "warning", "information", "hint"] as const;
const rank = ({ severity }: Problem): number => SEVERITIES.indexOf(severity);

/** So many messages fit into the hint of a line. */
const MOST_TOLD = 4;

class LineMark extends GutterMarker {
  constructor(readonly problems: readonly Problem[]) {
    super();
  }

  get #worst(): Problem | undefined {
    return [...this.problems].sort((a, b) => rank(a) - rank(b))[0];
  }

  override eq(other: LineMark): boolean {
    return this.problems === other.problems;
  }

  override toDOM(): HTMLElement {
    const mark = document.createElement("span");
    mark.className = `problem-dot problem-dot-${this.#worst?.severity ?? "hint"}`;
    const told = this.problems.slice(0, MOST_TOLD).map(({ message }) => shownText(message));
    const rest = this.problems.length - told.length;
    mark.dataset.tip = [...told, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n");
    return mark;
  }
}

const setMarks = StateEffect.define<Marks>();
const NONE: Marks = { file: null, inText: Decoration.none, inGutter: RangeSet.empty };

/** Follows every edit until the server has looked again: only what is near the edit is touched. */
const marks = StateField.define<Marks>({
  create: () => NONE,
  update: (now, { docChanged, changes, effects }) => {
    const next = effects.find((effect) => effect.is(setMarks));
    if (next) return next.value;
    if (!docChanged || now === NONE) return now;
    return { ...now, inText: now.inText.map(changes), inGutter: now.inGutter.map(changes) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ inText }) => inText),
});

/** What else stands where the marks of the lines are. */
export const problemGutter = Facet.define<RangeSet<GutterMarker>>();

/** The marks in the text and beside it. */
export const problemMarks: Extension = [
  marks,
  // Before the line numbers, in their margin: it takes no room of its own.
  Prec.high(
    gutter({
      class: "problem-gutter",
      markers: ({ state }) => [state.field(marks).inGutter, ...state.facet(problemGutter)],
    }),
  ),
];

/** What the marks of a state were made of. */
export const markedFile = (view: EditorView): FileProblems | null =>
  view.state.field(marks, false)?.file ?? null;

/**
 * Shows the problems of a file. They are told for `text`, which is what the workbench has; `since` leads
 * from there to what the view shows.
 */
export function markProblems(
  view: EditorView,
  file: FileProblems | null,
  { text, since }: { readonly text: Text; readonly since: ChangeDesc },
): void {
  const placed = (file?.items ?? []).map((problem) => {
    const from = offsetOf(text, problem.range.start);
    const to = Math.max(from, offsetOf(text, problem.range.end));
    return { problem, from: since.mapPos(from, 1), to: since.mapPos(to, -1) };
  });
  const { doc } = view.state;
  view.dispatch({
    effects: setMarks.of({
      file,
      inText: textMarks(doc, placed),
      inGutter: lineMarks(doc, placed),
    }),
  });
}

function textMarks(doc: Text, placed: readonly PlacedProblem[]): DecorationSet {
  const ranges = placed.flatMap((one) => {
    const { from, to } = wide(doc, one);
    return from < to ? [Decoration.mark(lookOf(one.problem)).range(from, to)] : [];
  });
  return Decoration.set(ranges, true);
}

/** What is empty is as wide as a character, so that it can be seen and pointed at. */
function wide(doc: Text, { from, to }: PlacedProblem): { from: number; to: number } {
  if (from < to) return { from, to };
  const line = doc.lineAt(Math.min(from, doc.length));
  if (from < line.to) return { from, to: from + 1 };
  return { from: Math.max(line.from, line.to - 1), to: line.to };
}

function lookOf(problem: Problem) {
  const tags = problem.tags ?? [];
  const classes = [
    // What is only faded says all that a hint says.
    problem.severity === "hint" && tags.length > 0 ? "" : `problem-${problem.severity}`,
    ...tags.map((tag) => `problem-${tag}`),
  ];
  return { class: classes.filter(Boolean).join(" "), problem };
}

/** One for each line, however many problems begin there. */
function lineMarks(doc: Text, placed: readonly PlacedProblem[]): RangeSet<GutterMarker> {
  const lines = new Map<number, Problem[]>();
  for (const { problem, from } of placed) {
    if (problem.severity === "hint") continue;
    const line = doc.lineAt(Math.min(from, doc.length)).from;
    lines.set(line, [...(lines.get(line) ?? []), problem]);
  }
  const ranges = [...lines].map(([from, problems]) => new LineMark(problems).range(from));
  return RangeSet.of(ranges, true);
}

/** Those that touch a range, the worst first. */
export function problemsBetween(
  view: EditorView,
  from: number,
  to: number,
): readonly PlacedProblem[] {
  const found: PlacedProblem[] = [];
  view.state.field(marks, false)?.inText.between(from, to, (start, end, { spec }) => {
    found.push({ problem: spec.problem as Problem, from: start, to: end });
  });
  return found.sort((a, b) => rank(a.problem) - rank(b.problem));
}

/** The next one from a place on that is more than a hint, in this text; null if there is none. */
export function problemFrom(view: EditorView, at: number, step: 1 | -1): PlacedProblem | null {
  const set = view.state.field(marks, false)?.inText;
  let best: PlacedProblem | null = null;
  set?.between(step > 0 ? at : 0, step > 0 ? view.state.doc.length : at, (from, to, { spec }) => {
    const problem = spec.problem as Problem;
    if (problem.severity === "hint") return;
    if (step > 0 ? from <= at : from >= at) return;
    const nearer = !best || (step > 0 ? from < best.from : from > best.from);
    if (nearer) best = { problem, from, to };
    if (best && step > 0) return false;
    return;
  });
  return best;
}

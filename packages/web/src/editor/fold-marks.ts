import {
  codeFolding,
  foldable,
  foldEffect,
  foldedRanges,
  syntaxTree,
  unfoldEffect,
} from "@codemirror/language";
import { type Extension, type RangeSet, RangeSetBuilder, StateEffect } from "@codemirror/state";
import {
  type BlockInfo,
  type EditorView,
  GutterMarker,
  gutter,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";

/** Where the lines of a document can be folded is looked for once the typing pauses for so long. */
const PAUSE_MS = 250;

class FoldMark extends GutterMarker {
  constructor(readonly open: boolean) {
    super();
  }

  override eq(other: FoldMark): boolean {
    return this.open === other.open;
  }

  override toDOM(): HTMLElement {
    const mark = document.createElement("span");
    mark.className = this.open ? "editor-fold" : "editor-fold editor-folded";
    mark.title = this.open ? "Fold" : "Unfold";
    return mark;
  }
}

const OPEN = new FoldMark(true);
const FOLDED = new FoldMark(false);
const lookAgain = StateEffect.define<null>();

/**
 * The marks beside lines that can be folded. CodeMirror's own are worked out anew for every line in sight
 * with every typed character; these only move along, and are right again when the typing pauses.
 */
const marks = ViewPlugin.fromClass(
  class {
    markers: RangeSet<GutterMarker>;
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(readonly view: EditorView) {
      this.markers = marksIn(view);
    }

    update(update: ViewUpdate): void {
      if (update.docChanged) {
        this.markers = this.markers.map(update.changes);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#lookAgain(), PAUSE_MS);
      } else if (hasMoved(update) || (this.#timer === undefined && hasGrown(update))) {
        this.markers = marksIn(update.view);
      }
    }

    #lookAgain(): void {
      this.#timer = undefined;
      this.view.dispatch({ effects: lookAgain.of(null) });
    }

    destroy(): void {
      clearTimeout(this.#timer);
    }
  },
);

export const foldMarks: Extension = [
  codeFolding({ placeholderText: "…" }),
  marks,
  gutter({
    class: "cm-foldGutter",
    markers: (view) => view.plugin(marks)?.markers ?? [],
    initialSpacer: () => OPEN,
    domEventHandlers: { click: (view, line) => toggle(view, line) },
  }),
];

/** Other lines are in sight, or folded. */
function hasMoved({ viewportChanged, transactions }: ViewUpdate): boolean {
  const isFold = (one: StateEffect<unknown>) =>
    one.is(lookAgain) || one.is(foldEffect) || one.is(unfoldEffect);
  return viewportChanged || transactions.some(({ effects }) => effects.some(isFold));
}

/** More of the text is understood than before. */
function hasGrown({ startState, state }: ViewUpdate): boolean {
  return syntaxTree(startState) !== syntaxTree(state);
}

function marksIn(view: EditorView): RangeSet<GutterMarker> {
  const builder = new RangeSetBuilder<GutterMarker>();
  for (const line of view.viewportLineBlocks) {
    const mark = foldedAt(view, line) ? FOLDED : foldable(view.state, line.from, line.to) && OPEN;
    if (mark) builder.add(line.from, line.from, mark);
  }
  return builder.finish();
}

/** The fold that begins in a line. */
function foldedAt(view: EditorView, line: BlockInfo): { from: number; to: number } | null {
  let found: { from: number; to: number } | null = null;
  foldedRanges(view.state).between(line.from, line.to, (from, to) => {
    if (!found || found.from > from) found = { from, to };
  });
  return found;
}

function toggle(view: EditorView, line: BlockInfo): boolean {
  const folded = foldedAt(view, line);
  const range = folded ?? foldable(view.state, line.from, line.to);
  if (!range) return false;
  view.dispatch({ effects: (folded ? unfoldEffect : foldEffect).of(range) });
  return true;
}

import { type Range, RangeSet, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { BAR_HEIGHT, type BarOptions, HunkBar, heightOf } from "./hunk-bar.js";
import { endOf, type LineRange, type PlacedHunk, startOf, textIn } from "./placed-hunks.js";
import { Spacer } from "./row-widget.js";

export const setRows = StateEffect.define<DecorationSet>();

/** The rows between the lines: the hunks' bars, and the room that keeps both panes level. */
export const rows = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setRows)) return effect.value;
    return value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export interface RowOptions
  extends Pick<
    BarOptions,
    "readOnly" | "lineHeight" | "current" | "purpose" | "onDecide" | "onPick"
  > {
  readonly hunks: readonly PlacedHunk[];
  readonly unmarked: ReadonlySet<number>;
  readonly base: Text;
  readonly shown: Text;
  /** The base has a pane of its own, beside. */
  readonly sideBySide: boolean;
}

/** For the right side, or the only one. */
export function shownRows(options: RowOptions): DecorationSet {
  const { hunks, shown, base, sideBySide, unmarked, lineHeight } = options;
  const found: Range<Decoration>[] = [];
  for (const hunk of hunks) {
    const { id } = hunk.info;
    if (!unmarked.has(id)) {
      const text = sideBySide || size(hunk.base) === 0 ? null : textIn(base, hunk.base);
      const removed = text === null ? [] : text.split("\n");
      const bar = { ...options, hunk, removed, total: hunks.length };
      found.push(above(shown, hunk.shown, new HunkBar(bar)));
    }
    const missing = size(hunk.base) - size(hunk.shown);
    if (sideBySide && missing > 0) found.push(below(shown, hunk.shown, missing * lineHeight));
  }
  return RangeSet.of(found, true);
}

/** For the left side: nothing but room. */
export function baseRows(options: RowOptions): DecorationSet {
  const { hunks, base, unmarked, lineHeight } = options;
  const found: Range<Decoration>[] = [];
  for (const hunk of hunks) {
    if (!unmarked.has(hunk.info.id)) {
      const height = heightOf({ hunk, removed: [], lineHeight });
      found.push(above(base, hunk.base, new Spacer(BAR_HEIGHT, "bar")));
      const rest = height - BAR_HEIGHT;
      if (rest > 0) found.push(above(base, hunk.base, new Spacer(rest)));
    }
    const missing = size(hunk.shown) - size(hunk.base);
    if (missing > 0) found.push(below(base, hunk.base, missing * lineHeight));
  }
  return RangeSet.of(found, true);
}

const size = ({ from, to }: LineRange): number => to - from;

function above(text: Text, range: LineRange, widget: HunkBar | Spacer): Range<Decoration> {
  // Past the last line there is nothing to be above of.
  const side = range.from < text.lines ? -2 : 1;
  return Decoration.widget({ widget, block: true, side }).range(startOf(text, range));
}

function below(text: Text, range: LineRange, height: number): Range<Decoration> {
  const widget = new Spacer(height);
  if (size(range) > 0) {
    return Decoration.widget({ widget, block: true, side: 1 }).range(endOf(text, range));
  }
  const side = range.from < text.lines ? -1 : 2;
  return Decoration.widget({ widget, block: true, side }).range(startOf(text, range));
}

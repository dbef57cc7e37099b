import { type Change, presentableDiff } from "@codemirror/merge";
import {
  Facet,
  type Range,
  RangeSet,
  RangeSetBuilder,
  StateEffect,
  StateField,
  type Text,
} from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  GutterMarker,
  gutter,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { HunkBar } from "./hunk-bar.js";
import { endOf, type PlacedHunk, startOf, stateOf, textIn } from "./placed-hunks.js";
import { drawnRows } from "./row-widget.js";

/** What a pane shows of the hunks. */
export interface Marks {
  readonly hunks: readonly PlacedHunk[];
  /** The text of the other pane, as it was when the hunks were made. */
  readonly other: Text;
  /** Hunks that differ in whitespace only are not marked when it is ignored. */
  readonly unmarked: ReadonlySet<number>;
}

/** A hunk's lines as positions in this pane's text, which move with edits. */
export interface Span {
  readonly hunk: PlacedHunk;
  readonly from: number;
  readonly to: number;
}

type Side = "base" | "shown";
export const paneSide = Facet.define<Side, Side>({ combine: ([side]) => side ?? "shown" });
export const setMarks = StateEffect.define<Marks>();

interface Marked extends Marks {
  readonly spans: readonly Span[];
}

/** The hunks of a pane, moved along with edits until the workbench sends new ones. */
export const marks = StateField.define<Marked>({
  create: (state) => ({
    hunks: [],
    other: state.doc,
    unmarked: new Set(),
    spans: [],
  }),
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setMarks)) continue;
      const side = transaction.state.facet(paneSide);
      const { doc } = transaction.state;
      const spans = effect.value.hunks.map((hunk) => ({
        hunk,
        from: startOf(doc, hunk[side]),
        to: endOf(doc, hunk[side]),
      }));
      return { ...effect.value, spans };
    }
    if (!transaction.docChanged) return value;
    const spans = value.spans.map(({ hunk, from, to }) => ({
      hunk,
      from: transaction.changes.mapPos(from, -1),
      to: transaction.changes.mapPos(to, 1),
    }));
    return { ...value, spans };
  },
});

/** Colours the lines that are in sight, and what differs within them. */
export const hunkLines = ViewPlugin.fromClass(
  class {
    lines: DecorationSet;
    #known = new Map<PlacedHunk, { readonly mine: string; readonly changes: readonly Change[] }>();

    constructor(view: EditorView) {
      this.lines = this.#build(view);
    }

    update(update: ViewUpdate): void {
      const changed = update.startState.field(marks) !== update.state.field(marks);
      if (changed || update.viewportChanged || update.docChanged) {
        this.lines = this.#build(update.view);
      }
    }

    #build(view: EditorView): DecorationSet {
      const { state, viewport } = view;
      const side = state.facet(paneSide);
      const { unmarked, other } = state.field(marks);
      const found: Range<Decoration>[] = [];
      for (const { hunk, from, to } of spansIn(state.field(marks).spans, viewport)) {
        if (hunk[side].from === hunk[side].to || unmarked.has(hunk.info.id)) continue;
        const kind = stateOf(hunk.info);
        const line = Decoration.line({ class: `review-line review-line-${kind}` });
        const end = Math.min(to, viewport.to);
        for (let at = Math.max(from, viewport.from); at <= end; ) {
          const { from: start, to: stop } = state.doc.lineAt(at);
          found.push(line.range(start));
          at = stop + 1;
        }
        found.push(...this.#within(hunk, from, to, side, state.doc, other));
      }
      return RangeSet.of(found, true);
    }

    /** Words that differ. */
    #within(
      hunk: PlacedHunk,
      from: number,
      to: number,
      side: Side,
      text: Text,
      other: Text,
    ): Range<Decoration>[] {
      const kind = stateOf(hunk.info);
      if (kind === "conflict" || kind === "dropped") return [];
      const mine = text.sliceString(from, to);
      const theirs = textIn(other, hunk[side === "base" ? "shown" : "base"]);
      if (theirs === "" || mine.length + theirs.length > LARGEST_REFINED) return [];
      const [a, b] = side === "base" ? [mine, theirs] : [theirs, mine];
      let known = this.#known.get(hunk);
      // Somebody may have typed in it since.
      if (known?.mine !== mine) {
        known = { mine, changes: presentableDiff(a, b, { scanLimit: 300, timeout: 20 }) };
        if (this.#known.size > MOST_KNOWN) this.#known.clear();
        this.#known.set(hunk, known);
      }
      return known.changes.flatMap(({ fromA, toA, fromB, toB }) => {
        const [start, end] = side === "base" ? [fromA, toA] : [fromB, toB];
        // Whole lines more or less are told by the lines' own colour.
        const isWord = start < end && from + end <= to && !mine.slice(start, end).includes("\n");
        return isWord ? [WORD.range(from + start, from + end)] : [];
      });
    }
  },
  { decorations: ({ lines }) => lines },
);

/** Characters of both sides up to which the words that differ are looked for. */
const LARGEST_REFINED = 20_000;
/** Hunks whose words are remembered; few are in sight at once. */
const MOST_KNOWN = 500;
const WORD = Decoration.mark({ class: "review-word" });

/** "+" and "−" beside the lines, so that colour is not all that tells them. */
export const hunkGutter = gutter({
  class: "review-signs",
  markers: (view) => {
    const builder = new RangeSetBuilder<GutterMarker>();
    const { state, viewport } = view;
    const side = state.facet(paneSide);
    const { spans, unmarked } = state.field(marks);
    for (const { hunk, from, to } of spansIn(spans, viewport)) {
      if (hunk[side].from === hunk[side].to || unmarked.has(hunk.info.id)) continue;
      const sign = signOf(hunk, side);
      if (!sign) continue;
      for (let at = Math.max(from, viewport.from); at <= Math.min(to, viewport.to); ) {
        const { from: start, to: stop } = state.doc.lineAt(at);
        builder.add(start, start, sign);
        at = stop + 1;
      }
    }
    return builder.finish();
  },
  widgetMarker: (_view, widget) => (widget instanceof HunkBar ? new RowSigns(widget) : null),
  initialSpacer: () => PLUS,
});

function signOf({ info }: PlacedHunk, side: Side): GutterMarker | null {
  const kind = stateOf(info);
  if (kind === "conflict") return CLASH;
  if (kind === "dropped") return null;
  return side === "base" ? MINUS : PLUS;
}

class Sign extends GutterMarker {
  readonly #sign: string;
  constructor(sign: string) {
    super();
    this.#sign = sign;
  }
  override toDOM(): Node {
    return document.createTextNode(this.#sign);
  }
}

/** Beside a hunk's bar: a sign for each of the lines that are drawn below it. */
class RowSigns extends GutterMarker {
  readonly #sign: string;
  readonly #rows: number;
  readonly #height: number;
  constructor({ options, drawn }: HunkBar) {
    super();
    this.#sign = stateOf(options.hunk.info) === "conflict" ? "+" : "−";
    this.#rows = drawnRows(drawn);
    this.#height = options.lineHeight;
  }
  override eq(other: RowSigns): boolean {
    return this.#sign === other.#sign && this.#rows === other.#rows;
  }
  override toDOM(): Node {
    const dom = document.createElement("div");
    dom.className = "review-row-signs";
    for (let row = 0; row < this.#rows; row++) {
      const sign = document.createElement("div");
      sign.textContent = this.#sign;
      sign.style.setProperty("height", `${this.#height}px`);
      dom.append(sign);
    }
    return dom;
  }
}

const PLUS = new Sign("+") as GutterMarker;
const MINUS = new Sign("−") as GutterMarker;
const CLASH = new Sign("!") as GutterMarker;

/** Those of the spans, which are in order, that touch the viewport. */
function spansIn(
  spans: readonly Span[],
  { from, to }: { readonly from: number; readonly to: number },
): readonly Span[] {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.to ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < spans.length && (spans[end]?.from ?? 0) <= to) end++;
  return spans.slice(low, end);
}

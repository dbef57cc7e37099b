import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { highlightSelectionMatches } from "@codemirror/search";
import { Compartment, EditorState, type Extension, Text } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers, type ViewUpdate } from "@codemirror/view";
import type { Events, HunkInfo, ReviewSnapshot } from "@lockstep/workbench/contract";
import { CollabClient } from "../../editor/collab.js";
import { languageFor } from "../../editor/languages.js";
import { specialCharacters } from "../../editor/special-characters.js";
import { textDifference } from "../../editor/text-difference.js";
import type { TextWire } from "../../editor/text-wire.js";
import { theme } from "../../editor/theme.js";
import { markCurrent, type Purpose } from "./hunk-bar.js";
import { hunkGutter, hunkLines, marks, paneSide, setMarks } from "./hunk-marks.js";
import { baseRows, type RowOptions, rows, setRows, shownRows } from "./hunk-rows.js";
import { scrollTogether } from "./level-scroll.js";
import { paneWidth } from "./pane-width.js";
import { isWhitespaceOnly, type PlacedHunk, placeHunks } from "./placed-hunks.js";

export type Layout = "inline" | "side-by-side";

export interface PaneOptions {
  readonly id: string;
  /** The shared text of the right side. */
  readonly name: string;
  readonly parent: HTMLElement;
  readonly snapshot: ReviewSnapshot;
  readonly wire: TextWire;
  readonly languageId: string;
  readonly layout: Layout;
  readonly ignoreWhitespace: boolean;
  readonly readOnly: boolean;
  readonly purpose: Purpose;
  /** Pixels, whole: both panes count on it to stay level. */
  readonly lineHeight: number;
  readonly tabSize: number;
  readonly onDecide: (id: number, decision: "kept" | "dropped") => void;
  /** The cursor or a click has chosen a hunk. */
  readonly onPick: (id: number) => void;
  /** New hunks are on screen; `hidden` of them only differ in whitespace, which is ignored. */
  readonly onHunks: (hunks: readonly HunkInfo[], hidden: ReadonlySet<number>) => void;
  readonly onRefused: (why: string) => void;
}

/** What the sides are called for who does not see them. */
const SIDES: Readonly<Record<Purpose, { readonly base: string; readonly shown: string }>> = {
  proposal: { base: "The file as it is", shown: "The proposed text" },
  merge: { base: "The file as it is", shown: "The merged text" },
  turn: { base: "The file as it was", shown: "The file as it became" },
};

/** Hunks that are drawn together with the text. */
const FEW = 200;

/** Pixels between the top of the pane and a hunk that is gone to: some of what stands before it is seen. */
const HEADROOM = 72;

/** How long edits may take to arrive before a decision gives up on them. */
const PATIENCE_MS = 5_000;

/** The texts of a review on screen: the right side alone, or beside the base. */
export class ReviewPanes {
  readonly #options: PaneOptions;
  readonly #collab: CollabClient;
  readonly #shown: EditorView;
  readonly #side = document.createElement("div");
  readonly #readOnly = new Compartment();
  readonly #language = new Compartment();
  #left: EditorView | null = null;
  #base: Text;
  #moves: number;
  /** What came from the workbench and does not fit what is on screen yet. */
  #nextBase: Events["review.base"] | null = null;
  #next: Omit<Events["review.hunks"], "id"> | null;
  #hunks: readonly PlacedHunk[] = [];
  #unmarked: ReadonlySet<number> = new Set();
  #current: number | null = null;
  #layout: Layout;
  #ignoreWhitespace: boolean;
  #isReadOnly: boolean;
  #colours: Extension = [];
  #stopScrolling = () => {};
  readonly #waiting = new Set<() => void>();
  #destroyed = false;

  constructor(options: PaneOptions) {
    const { parent, snapshot, name, wire } = options;
    this.#options = options;
    this.#layout = options.layout;
    this.#ignoreWhitespace = options.ignoreWhitespace;
    this.#isReadOnly = options.readOnly;
    this.#base = Text.of(snapshot.base.split("\n"));
    this.#moves = snapshot.moves;
    const { hunks, shown, moves } = snapshot;
    this.#next = hunks && { version: shown.version, moves, hunks };
    this.#collab = new CollabClient({
      name,
      snapshot: shown,
      wire,
      onRefused: options.onRefused,
    });
    this.#shown = new EditorView({
      state: EditorState.create({
        doc: this.#collab.text,
        extensions: [
          this.#common("shown"),
          this.#readOnly.of(this.#editing()),
          this.#collab.extension,
          EditorView.updateListener.of((update) => this.#updated(update)),
          EditorView.contentAttributes.of({ "aria-label": SIDES[options.purpose].shown }),
        ],
      }),
    });
    this.#side.className = "review-side";
    parent.append(this.#side);
    this.#arrange();
    this.#collab.start(this.#shown);
    // The text first: many changes take a moment to draw.
    if ((hunks?.length ?? 0) > FEW) afterPaint(() => this.#take());
    else this.#take();
    void this.#colour();
  }

  /** The text as it is on screen. */
  get text(): string {
    return this.#shown.state.doc.toString();
  }

  setLayout(layout: Layout): void {
    if (layout === this.#layout) return;
    this.#layout = layout;
    this.#arrange();
    this.#draw();
    if (this.#current !== null) this.goTo(this.#current);
  }

  setIgnoreWhitespace(ignore: boolean): void {
    if (ignore === this.#ignoreWhitespace) return;
    this.#ignoreWhitespace = ignore;
    this.#judge();
    this.#draw();
    this.#options.onHunks(
      this.#hunks.map(({ info }) => info),
      this.#unmarked,
    );
  }

  setReadOnly(readOnly: boolean): void {
    if (readOnly === this.#isReadOnly) return;
    this.#isReadOnly = readOnly;
    this.#shown.dispatch({ effects: this.#readOnly.reconfigure(this.#editing()) });
    this.#draw();
  }

  setBase(event: Events["review.base"]): void {
    this.#nextBase = event;
    if (this.#hunks.length === 0 && !this.#next) this.#moveBase();
    this.#take();
  }

  setHunks(event: Events["review.hunks"]): void {
    this.#next = event;
    this.#take();
  }

  /** How often the base has moved, of which the person sees the result. */
  get moves(): number {
    return this.#moves;
  }

  /** What the workbench says after the link was lost. */
  renew({ base, moves, hunks, shown }: ReviewSnapshot): void {
    const { id } = this.#options;
    if (moves !== this.#moves) this.#nextBase = { id, base, moves };
    if (hunks) this.#next = { version: shown.version, moves, hunks };
    // The right side takes the snapshot's text after this: versions of two lives look alike until then.
    setTimeout(() => this.#take());
  }

  /** Marks a hunk as the current one, and brings it into sight. */
  goTo(id: number, { scroll = true } = {}): void {
    this.#current = id;
    markCurrent(this.#side, id);
    const span = this.#shown.state.field(marks).spans.find(({ hunk }) => hunk.info.id === id);
    if (!span || !scroll) return;
    const view = this.#shown;
    view.dispatch({ selection: { anchor: span.from } });
    // By its top, not by its line: what it has removed stands above the line, and may be longer than the pane.
    view.requestMeasure({
      read: () => view.lineBlockAt(span.from).top,
      write: (top) => {
        view.scrollDOM.scrollTop = top - HEADROOM;
      },
    });
  }

  /** All that was typed is with the workbench. */
  async flush(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (this.#collab.unsent) {
      const left = deadline - performance.now();
      if (left <= 0)
        throw new Error("Your last edits have not arrived yet: try again in a moment.");
      this.#collab.push();
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
        setTimeout(resolve, Math.min(left, 250));
      });
    }
  }

  destroy(): void {
    this.#destroyed = true;
    this.#stopScrolling();
    this.#collab.dispose();
    this.#left?.destroy();
    this.#shown.destroy();
    this.#side.remove();
  }

  #updated({ docChanged, selectionSet, state, transactions }: ViewUpdate): void {
    if (docChanged) {
      for (const resolve of this.#waiting) resolve();
      this.#waiting.clear();
      // Not within an update of the view itself.
      queueMicrotask(() => this.#take());
    }
    if (!selectionSet || !transactions.some((one) => one.isUserEvent("select"))) return;
    const { head } = state.selection.main;
    const { spans } = state.field(marks);
    const under = spans.find(({ from, to }) => from <= head && head <= to);
    if (under && under.hunk.info.id !== this.#current) {
      const { id } = under.hunk.info;
      queueMicrotask(() => this.#options.onPick(id));
    }
  }

  /** Puts hunks on screen once they belong to the texts that are there; until then the old ones move along. */
  #take(): void {
    if (this.#destroyed) return;
    const next = this.#next;
    const fits = next && next.version === this.#collab.version && !this.#collab.unsent;
    if (!fits) return;
    if (this.#nextBase && this.#nextBase.moves <= next.moves) this.#moveBase();
    if (next.moves !== this.#moves) return;
    this.#next = null;
    this.#hunks = placeHunks(next.hunks);
    this.#judge();
    this.#draw();
    this.#options.onHunks(next.hunks, this.#unmarked);
  }

  #moveBase(): void {
    if (!this.#nextBase) return;
    const { base, moves } = this.#nextBase;
    this.#nextBase = null;
    this.#base = Text.of(base.split("\n"));
    this.#moves = moves;
    const left = this.#left;
    left?.dispatch({ changes: textDifference(left.state.doc, this.#base) });
  }

  /** Which hunks are not worth marking. */
  #judge(): void {
    const { doc } = this.#shown.state;
    const same = (hunk: PlacedHunk) => isWhitespaceOnly(hunk, this.#base, doc);
    const hidden = this.#ignoreWhitespace ? this.#hunks.filter(same) : [];
    this.#unmarked = new Set(hidden.map(({ info }) => info.id));
  }

  /** The marks and rows of both panes. */
  #draw(): void {
    const shown = this.#shown.state.doc;
    const hunks = this.#hunks;
    const unmarked = this.#unmarked;
    const { lineHeight, purpose, onDecide, onPick } = this.#options;
    const options: RowOptions = {
      ...{ hunks, unmarked, base: this.#base, shown, lineHeight, purpose, onDecide, onPick },
      current: () => this.#current,
      readOnly: this.#isReadOnly,
      sideBySide: this.#left !== null,
    };
    const marked = { hunks, unmarked };
    this.#shown.dispatch({
      effects: [setMarks.of({ ...marked, other: this.#base }), setRows.of(shownRows(options))],
    });
    this.#left?.dispatch({
      effects: [setMarks.of({ ...marked, other: shown }), setRows.of(baseRows(options))],
    });
  }

  #arrange(): void {
    this.#stopScrolling();
    this.#stopScrolling = () => {};
    this.#left?.destroy();
    this.#left = null;
    this.#side.dataset.layout = this.#layout;
    if (this.#layout === "side-by-side") {
      const left = new EditorView({
        state: EditorState.create({
          doc: this.#base,
          extensions: [
            this.#common("base"),
            EditorState.readOnly.of(true),
            EditorView.editable.of(false),
            EditorView.contentAttributes.of({
              "aria-label": SIDES[this.#options.purpose].base,
              tabindex: "0",
            }),
          ],
        }),
      });
      this.#left = left;
      this.#side.replaceChildren(left.dom, this.#shown.dom);
      left.scrollDOM.scrollTop = this.#shown.scrollDOM.scrollTop;
      this.#stopScrolling = scrollTogether(left.scrollDOM, this.#shown.scrollDOM);
    } else {
      this.#side.replaceChildren(this.#shown.dom);
    }
  }

  #common(side: "base" | "shown"): Extension {
    const { lineHeight, tabSize } = this.#options;
    return [
      paneSide.of(side),
      marks,
      rows,
      hunkLines,
      paneWidth,
      lineNumbers(),
      hunkGutter,
      specialCharacters,
      highlightSelectionMatches(),
      drawSelection(),
      EditorState.tabSize.of(tabSize),
      keymap.of([...defaultKeymap, indentWithTab]),
      theme,
      EditorView.theme({ ".cm-scroller": { lineHeight: `${lineHeight}px` } }),
      this.#language.of(this.#colours),
    ];
  }

  #editing(): Extension {
    // What has happened already is edited in its file.
    const may = !this.#isReadOnly && this.#options.purpose !== "turn";
    const focusable = may ? [] : EditorView.contentAttributes.of({ tabindex: "0" });
    return [EditorState.readOnly.of(!may), EditorView.editable.of(may), focusable];
  }

  async #colour(): Promise<void> {
    const { languageId } = this.#options;
    this.#colours = await languageFor(languageId, this.#shown.state.doc.length);
    if (this.#destroyed) return;
    for (const view of [this.#shown, this.#left]) {
      view?.dispatch({ effects: this.#language.reconfigure(this.#colours) });
    }
  }
}

/** Runs when the browser has drawn what there is, or after a while where it does not draw. */
function afterPaint(work: () => void): void {
  let done = false;
  const once = () => {
    if (!done) work();
    done = true;
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, 250);
}

import { WidgetType } from "@codemirror/view";
import { keysFor } from "../review-keys.js";
import { type HunkState, type PlacedHunk, stateOf } from "./placed-hunks.js";
import { drawLines, drawnRows } from "./row-widget.js";

/** Pixels; as --row in the design. */
export const BAR_HEIGHT = 24;

/** A proposal of an agent's, the person's own edits against a file, or what has happened already. */
export type Purpose = "proposal" | "merge" | "turn";

export interface BarOptions {
  readonly hunk: PlacedHunk;
  readonly total: number;
  /** The id of the hunk that the person is at; it changes without new bars. */
  readonly current: () => number | null;
  /** Nobody can decide any more. */
  readonly readOnly: boolean;
  readonly purpose: Purpose;
  /** Lines of the base that are drawn below it; the left pane shows them where there is one. */
  readonly removed: readonly string[];
  readonly lineHeight: number;
  readonly onDecide: (id: number, decision: "kept" | "dropped") => void;
  readonly onPick: (id: number) => void;
}

const WORDS: Readonly<Record<HunkState, readonly [sign: string, word: string]>> = {
  pending: ["○", "Undecided"],
  kept: ["✓", "Kept"],
  dropped: ["✕", "Dropped"],
  edited: ["✎", "Edited by you"],
  conflict: ["!", "Conflict"],
};

/** Of what has happened already. */
const TURN_WORDS: Readonly<Partial<Record<HunkState, string>>> = {
  pending: "Changed",
  dropped: "Undone",
};

/** The row above a hunk: what has become of it, and the buttons that decide it. */
export class HunkBar extends WidgetType {
  readonly options: BarOptions;
  #key: string | null = null;

  constructor(options: BarOptions) {
    super();
    this.options = options;
  }

  override eq(other: HunkBar): boolean {
    return this.key === other.key;
  }

  override toDOM(): HTMLElement {
    const dom = document.createElement("div");
    this.#draw(dom);
    return dom;
  }

  /** Drawn anew in place, so that a focused button stays the focused one. */
  override updateDOM(dom: HTMLElement): boolean {
    const focused = dom.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset.decision
      : undefined;
    this.#draw(dom);
    if (focused) dom.querySelector<HTMLElement>(`[data-decision="${focused}"]`)?.focus();
    return true;
  }

  /** What happens in it is not the editor's business. */
  override ignoreEvent(): boolean {
    return true;
  }

  override get estimatedHeight(): number {
    return heightOf(this.options);
  }

  /** The lines below the bar that are not in the text. */
  get drawn(): readonly string[] {
    return drawnLines(this.options);
  }

  /** Two bars with one key look the same. */
  get key(): string {
    const { hunk, total, readOnly, removed, lineHeight } = this.options;
    const { info, number } = hunk;
    this.#key ??= JSON.stringify([info, number, total, readOnly, removed.length, lineHeight]);
    return this.#key;
  }

  #draw(dom: HTMLElement): void {
    const { hunk, total, current, purpose, onPick } = this.options;
    const { info, number } = hunk;
    const state = stateOf(info);
    const [sign, plain] = WORDS[state];
    const word = info.stuck ?? (purpose === "turn" ? (TURN_WORDS[state] ?? plain) : plain);
    dom.className = `review-hunk review-hunk-${state}`;
    dom.classList.toggle("review-hunk-stuck", info.stuck !== undefined);
    dom.classList.toggle("review-current", current() === info.id);
    dom.dataset.hunk = String(info.id);
    const bar = element("div", "review-bar");
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", `Change ${number} of ${total}: ${word}, ${sizeWords(hunk)}`);
    bar.addEventListener("mousedown", (event) => {
      event.preventDefault();
      onPick(info.id);
    });
    const mark = element("span", "review-bar-sign", sign);
    mark.setAttribute("aria-hidden", "true");
    bar.append(mark, element("span", "review-bar-word", this.#sentence(state, word)));
    if (state !== "conflict") bar.append(element("span", "review-bar-size", sizeOf(hunk)));
    if (state === "dropped") bar.append(element("code", "review-bar-preview", preview(hunk)));
    bar.append(element("span", "review-bar-gap"), ...this.#buttons(state));
    dom.replaceChildren(bar);
    if (this.drawn.length === 0) return;
    const kind = state === "conflict" ? "review-lines-proposed" : "review-lines-removed";
    dom.append(drawLines(this.drawn, kind));
  }

  #sentence(state: HunkState, word: string): string {
    const { count } = this.options.hunk.info;
    if (state !== "conflict") return word;
    const whose = this.options.purpose === "merge" ? "yours" : "proposed";
    return count === 0 ? `Conflict, ${whose} removes it` : `Conflict, ${whose}:`;
  }

  #buttons(state: HunkState): readonly HTMLElement[] {
    const { hunk, readOnly, purpose } = this.options;
    const { id, stuck } = hunk.info;
    if (readOnly || stuck !== undefined) return [];
    const button = (decision: "kept" | "dropped", label: string, keys: string) => {
      const made = element("button", "review-bar-button", label) as HTMLButtonElement;
      made.type = "button";
      made.dataset.decision = decision;
      made.dataset.tip = `${label} this change`;
      made.dataset.tipKeys = keys;
      const pressed = decision === "dropped" ? state === "dropped" : state === "kept";
      made.setAttribute("aria-pressed", String(pressed));
      made.addEventListener("click", () => this.options.onDecide(id, decision));
      return made;
    };
    const conflict = state === "conflict";
    const keep = conflict
      ? purpose === "merge"
        ? "Use mine"
        : "Use proposal"
      : state === "dropped"
        ? "Bring back"
        : "Keep";
    if (purpose === "turn" && state === "dropped") return [button("kept", keep, keysFor("keep"))];
    return [
      button("kept", keep, keysFor("keep")),
      button(
        "dropped",
        conflict ? "Keep file" : purpose === "turn" ? "Undo" : "Drop",
        keysFor("drop"),
      ),
    ];
  }
}

/** Marks the bar of the hunk that the person is at, among those that are drawn. */
export function markCurrent(root: HTMLElement, id: number | null): void {
  for (const dom of root.querySelectorAll<HTMLElement>(".review-hunk")) {
    dom.classList.toggle("review-current", dom.dataset.hunk === String(id));
  }
}

/** The same in both panes, so that they stay level. */
export function heightOf(options: Pick<BarOptions, "hunk" | "removed" | "lineHeight">): number {
  return BAR_HEIGHT + drawnRows(drawnLines(options)) * options.lineHeight;
}

function drawnLines({ hunk, removed }: Pick<BarOptions, "hunk" | "removed">): readonly string[] {
  const state = stateOf(hunk.info);
  if (state === "conflict") return hunk.info.lines ?? [];
  return state === "dropped" ? [] : removed;
}

function sizeOf({ info }: PlacedHunk): string {
  const removed = info.to - info.from;
  return [info.count > 0 && `+${info.count}`, removed > 0 && `−${removed}`]
    .filter(Boolean)
    .join(" ");
}

function sizeWords({ info }: PlacedHunk): string {
  const lines = (count: number) => (count === 1 ? "1 line" : `${count} lines`);
  return `${lines(info.count)} added, ${lines(info.to - info.from)} removed`;
}

function preview({ info }: PlacedHunk): string {
  return info.lines?.find((line) => line.trim() !== "")?.trim() ?? "";
}

function element(tag: string, className: string, text = ""): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

import { getSearchQuery } from "@codemirror/search";
import type { EditorView, ViewUpdate } from "@codemirror/view";
import { createSignal } from "solid-js";

/** `current` counts from 1, 0 where no match is selected. With `more` there are more than `total`. */
export interface Matches {
  readonly total: number;
  readonly current: number;
  readonly more: boolean;
}

const MOST = 9_999;
/** Counting yields to the person's keys after so long. */
const SLICE_MS = 6;
/** After edits, so that it is not begun anew with each character. */
const PAUSE_MS = 150;

/** Counts the matches of a view's query in small steps, beside the person's work. */
export class MatchCount {
  readonly now: () => Matches;
  readonly #view: EditorView;
  readonly #set: (matches: Matches) => void;
  /** Where the matches begin, in order. */
  #starts: number[] = [];
  #more = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: EditorView) {
    this.#view = view;
    const [now, set] = createSignal<Matches>({ total: 0, current: 0, more: false });
    this.now = now;
    this.#set = (matches) => void set(matches);
  }

  follow(update: ViewUpdate, newQuery: boolean): void {
    if (newQuery) this.recount();
    else if (update.docChanged) this.#later(() => this.recount(), PAUSE_MS);
    else if (update.selectionSet) this.#show();
  }

  recount(): void {
    const query = getSearchQuery(this.#view.state);
    this.#starts = [];
    this.#more = false;
    clearTimeout(this.#timer);
    if (query.search && query.valid) this.#go(query.getCursor(this.#view.state));
    else this.#show();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #go(cursor: Iterator<{ from: number; to: number }>): void {
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) {
      const { done, value } = cursor.next();
      this.#more = !done && this.#starts.length === MOST;
      if (done || this.#more) {
        this.#show();
        return;
      }
      this.#starts.push(value.from);
    }
    this.#later(() => this.#go(cursor), 0);
  }

  #later(step: () => void, pause: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(step, pause);
  }

  #show(): void {
    const { from, empty } = this.#view.state.selection.main;
    const current = empty ? 0 : this.#starts.indexOf(from) + 1;
    this.#set({ total: this.#starts.length, current, more: this.#more });
  }
}

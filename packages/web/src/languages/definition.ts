import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin } from "@codemirror/view";
import type { CallInput, Place } from "@lockstep/workbench/contract";
import { isMac } from "../commands.js";
import { showProblem, showToast } from "../design/index.js";
import { placeOf } from "../editor/text-places.js";
import { call } from "../replica/link.js";
import { openFile } from "../replica/view.js";
import { showPanel } from "../shell/panel-state.js";
import { focusElement } from "../shell/regions.js";
import { setFoundPlaces } from "./found-places.js";
import { leave } from "./navigation.js";
import { question } from "./question.js";

type What = CallInput<"language.definition">["what"];

const WORDS: Readonly<Record<What, { readonly title: string; readonly none: string }>> = {
  definition: { title: "Definitions", none: "No definition is known here." },
  typeDefinition: { title: "Type definitions", none: "No type is known here." },
  implementation: { title: "Implementations", none: "No implementation is known here." },
};

/** Goes where the name at the cursor is defined; where that is in several places, lists them. */
export async function goToDefinition(view: EditorView, what: What): Promise<void> {
  const at = view.state.selection.main.head;
  try {
    const places = await askDefinition(view, at, what);
    if (places) await follow(view, at, places, what);
  } catch (problem) {
    showProblem(problem);
  }
}

/** Lists all places where the name at the cursor is used. */
export async function findReferences(view: EditorView): Promise<void> {
  const at = view.state.selection.main.head;
  try {
    const places = await question(view, (uri, text) =>
      call("language.references", { uri, position: placeOf(text, at) }),
    );
    if (!places) return;
    if (places.length === 0) return void showToast({ text: "No references are known here." });
    list(view, at, places, "References");
  } catch (problem) {
    showProblem(problem);
  }
}

function askDefinition(view: EditorView, at: number, what: What): Promise<readonly Place[] | null> {
  return question(
    view,
    (uri, text) => call("language.definition", { uri, position: placeOf(text, at), what }),
    "text",
  );
}

async function follow(
  view: EditorView,
  at: number,
  places: readonly Place[],
  what: What,
): Promise<void> {
  const [only, other] = places;
  if (!only) return void showToast({ text: WORDS[what].none });
  if (other) return list(view, at, places, WORDS[what].title);
  leave();
  await openFile(only.uri, { range: { start: only.range.start, end: only.range.start } });
}

function list(view: EditorView, at: number, places: readonly Place[], title: string): void {
  const word = view.state.wordAt(at);
  const name = word ? view.state.sliceDoc(word.from, word.to) : "";
  setFoundPlaces({ title, name, places });
  showPanel("places");
  focusElement(".places [data-region-focus]");
}

const underline = StateEffect.define<{ readonly from: number; readonly to: number } | null>();

const underlined = StateField.define({
  create: () => Decoration.none,
  update: (now, { effects, docChanged }) => {
    const next = effects.find((effect) => effect.is(underline));
    if (next?.value) {
      const { from, to } = next.value;
      return Decoration.set(Decoration.mark({ class: "language-link" }).range(from, to));
    }
    return next || docChanged ? Decoration.none : now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const hasMod = (event: MouseEvent | KeyboardEvent): boolean =>
  isMac ? event.metaKey : event.ctrlKey;

/** With Ctrl or Cmd held, a name that leads somewhere is underlined, and a click follows it. */
const links = ViewPlugin.fromClass(
  class {
    #word: { readonly from: number; readonly to: number } | null = null;
    #pointer: { readonly x: number; readonly y: number } | null = null;

    constructor(readonly view: EditorView) {}

    look(event: MouseEvent | KeyboardEvent): void {
      if (event instanceof MouseEvent) this.#pointer = { x: event.clientX, y: event.clientY };
      const isDragging = event instanceof MouseEvent && event.buttons > 0;
      if (!hasMod(event) || isDragging) this.#forget();
      else if (this.#pointer) void this.#lookAt(this.#pointer);
    }

    /** Whether it was a name that can be followed. */
    follow(event: MouseEvent): boolean {
      const at = this.view.posAtCoords({ x: event.clientX, y: event.clientY });
      if (!hasMod(event) || event.button !== 0 || event.altKey || at === null) return false;
      const word = this.view.state.wordAt(at);
      if (!word) return false;
      this.#forget();
      this.view.dispatch({ selection: { anchor: at } });
      this.view.focus();
      void goToDefinition(this.view, "definition");
      return true;
    }

    leave(): void {
      this.#pointer = null;
      this.#forget();
    }

    async #lookAt(pointer: { readonly x: number; readonly y: number }): Promise<void> {
      const at = this.view.posAtCoords(pointer);
      const word = at === null ? null : this.view.state.wordAt(at);
      if (!word || at === null) return this.#forget();
      if (word.from === this.#word?.from && word.to === this.#word.to) return;
      this.#forget();
      this.#word = word;
      const places = await askDefinition(this.view, at, "definition").catch(() => null);
      if (places && places.length > 0 && this.#word === word) {
        this.view.dispatch({ effects: underline.of({ from: word.from, to: word.to }) });
      }
    }

    #forget(): void {
      if (!this.#word) return;
      this.#word = null;
      this.view.dispatch({ effects: underline.of(null) });
    }
  },
  {
    eventHandlers: {
      mousemove(event) {
        this.look(event);
      },
      keydown(event) {
        if (event.key === "Control" || event.key === "Meta") this.look(event);
      },
      keyup(event) {
        if (event.key === "Control" || event.key === "Meta") this.look(event);
      },
      mousedown(event) {
        if (!this.follow(event)) return false;
        event.preventDefault();
        return true;
      },
      mouseleave() {
        this.leave();
      },
      blur() {
        this.leave();
      },
    },
  },
);

export const definitionLinks = [underlined, links];

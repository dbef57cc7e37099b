import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { closeHoverTooltips, type EditorView, showTooltip, type Tooltip } from "@codemirror/view";
import { createSignal, onMount } from "solid-js";
import { render } from "solid-js/web";
import { showProblem, showToast } from "../design/index.js";
import { shownText } from "../design/shown-text.js";
import { offsetOf, placeOf } from "../editor/text-places.js";
import { call } from "../replica/link.js";
import { changedWords } from "./changed-words.js";
import { question } from "./question.js";

const setField = StateEffect.define<Tooltip | null>();

const field = StateField.define<Tooltip | null>({
  create: () => null,
  update: (now, { effects, docChanged }) => {
    const next = effects.find((effect) => effect.is(setField));
    if (next) return next.value;
    return docChanged ? null : now;
  },
  provide: (shown) => showTooltip.from(shown),
});

/** A field for the new name, where the name stands. */
export const renaming: Extension = field;

export const isRenaming = (state: EditorState): boolean => Boolean(state.field(field, false));

/** Asks for a new name of what is at the cursor, and gives it that everywhere. */
export async function startRename(view: EditorView): Promise<void> {
  const at = view.state.selection.main.head;
  try {
    let isKnown = false;
    const found = await question(view, async (uri, text) => {
      const answer = await call("language.nameAt", { uri, position: placeOf(text, at) });
      isKnown = true;
      return answer;
    });
    if (found) open(view, at, found.name, offsetOf(view.state.doc, found.range.start));
    else if (isKnown) showToast({ text: "Nothing here can be renamed." });
  } catch (problem) {
    showProblem(problem);
  }
}

function open(view: EditorView, at: number, name: string, start: number): void {
  const close = () => {
    // Once: the field loses the focus while it is taken away.
    if (!isRenaming(view.state)) return;
    view.dispatch({ effects: setField.of(null) });
    view.focus();
  };
  const tooltip: Tooltip = {
    pos: start,
    above: false,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "rename";
      const dispose = render(
        () => <Field name={name} onDone={(next) => rename(view, at, name, next)} onClose={close} />,
        dom,
      );
      return { dom, destroy: dispose };
    },
  };
  view.dispatch({ effects: [setField.of(tooltip), closeHoverTooltips] });
}

function Field(props: {
  readonly name: string;
  /** Fails with why the name cannot be taken. */
  readonly onDone: (name: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const [trouble, setTrouble] = createSignal("");
  const [isBusy, setBusy] = createSignal(false);
  let input: HTMLInputElement | undefined;
  onMount(() => {
    // Not before the tooltip is in the page.
    requestAnimationFrame(() => input?.select());
  });
  const done = async () => {
    const next = input?.value.trim() ?? "";
    if (next === "" || next === props.name) return props.onClose();
    setBusy(true);
    try {
      await props.onDone(next);
      props.onClose();
    } catch (problem) {
      setTrouble(problem instanceof Error ? problem.message : String(problem));
    } finally {
      setBusy(false);
    }
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.isComposing) void done();
    else if (event.key === "Escape") props.onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <input
        ref={input}
        class="rename-input"
        type="text"
        spellcheck={false}
        autocomplete="off"
        aria-label={`New name of ${shownText(props.name)}`}
        aria-invalid={trouble() !== ""}
        aria-describedby="rename-note"
        value={props.name}
        readonly={isBusy()}
        onKeyDown={onKey}
        onBlur={() => !isBusy() && props.onClose()}
      />
      <span id="rename-note" class="rename-note" classList={{ "rename-trouble": trouble() !== "" }}>
        {trouble() || (isBusy() ? "Renaming…" : "Enter renames, Escape does not")}
      </span>
    </>
  );
}

async function rename(view: EditorView, at: number, from: string, to: string): Promise<void> {
  const changed = await question(
    view,
    (uri, text) => call("language.rename", { uri, position: placeOf(text, at), name: to }),
    "always",
  );
  if (!changed) return;
  const { undo } = changed;
  const takeBack = () => void call("language.undoRename", { undo: undo ?? "" }).catch(showProblem);
  showToast({
    text: `${shownText(`Renamed ${from} to ${to}`)}: ${changedWords(changed)}`,
    ...(undo === null ? {} : { action: { label: "Undo", run: takeBack } }),
  });
}

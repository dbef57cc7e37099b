import type { Extension, Text } from "@codemirror/state";
import { closeHoverTooltips, EditorView, hoverTooltip, type Tooltip } from "@codemirror/view";
import type { Uri } from "@lockstep/protocol";
import type { Hover } from "@lockstep/workbench/contract";
import { createSignal, For, Show } from "solid-js";
import { render } from "solid-js/web";
import { Icon } from "../design/index.js";
import { shownText } from "../design/shown-text.js";
import { offsetOf, placeOf, rangeOf } from "../editor/text-places.js";
import { ProblemCard } from "../problems/problem-card.js";
import { type PlacedProblem, problemsBetween } from "../problems/problem-marks.js";
import { call } from "../replica/link.js";
import { type Offer, offersFor, take } from "./actions.js";
import { showInfo } from "./info-tooltip.js";
import { question } from "./question.js";
import { isRenaming } from "./rename.js";

/** How long the pointer rests before it is taken for a question. */
const REST_MS = 350;

/**
 * What is wrong under the pointer, and what the server knows of it. It goes when the person goes on by
 * keyboard, where the pointer stays: by an edit, by moving the cursor, or into a field such as rename's.
 */
export const hovering: Extension = [
  hoverTooltip(
    async (view, at) => {
      if (isRenaming(view.state)) return null;
      const problems = problemsBetween(view, at, at);
      const about = ask(view, at, "text");
      if (problems.length > 0) return tooltip(view, at, problems, about);
      const hover = await about;
      return hover && !isRenaming(view.state) ? tooltip(view, at, problems, hover) : null;
    },
    { hoverTime: REST_MS, hideOnChange: true },
  ),
  EditorView.domEventHandlers({
    blur: ({ relatedTarget }, view) => {
      if (!(relatedTarget instanceof Element) || relatedTarget.closest(".language-card")) return;
      // The focus may go while the view is at an update.
      setTimeout(() => view.dispatch({ effects: closeHoverTooltips }));
    },
  }),
];

/** The same by key, for the place of the cursor. */
export async function showHover(view: EditorView): Promise<void> {
  const at = view.state.selection.main.head;
  const problems = problemsBetween(view, at, at);
  const hover = await ask(view, at, "cursor");
  if (hover || problems.length > 0) {
    view.dispatch({ effects: showInfo.of(tooltip(view, at, problems, hover)) });
  }
}

/** What is said of one problem, where it stands. */
export function showProblemAt(view: EditorView, problem: PlacedProblem): void {
  view.dispatch({ effects: showInfo.of(tooltip(view, problem.from, [problem], null)) });
}

/** Nothing to be known is not worth a word, nor is a server that fails: the status bar says so. */
function ask(view: EditorView, at: number, validity: "text" | "cursor"): Promise<Hover | null> {
  return question(
    view,
    (uri, text) => call("language.hover", { uri, position: placeOf(text, at) }),
    validity,
  ).catch(() => null);
}

function tooltip(
  view: EditorView,
  at: number,
  problems: readonly PlacedProblem[],
  about: Hover | null | Promise<Hover | null>,
): Tooltip {
  const range = about && "text" in about ? about.range : undefined;
  const { doc } = view.state;
  const from = range ? offsetOf(doc, range.start) : (problems[0]?.from ?? at);
  const to = range ? offsetOf(doc, range.end) : (problems[0]?.to ?? at);
  return {
    pos: Math.min(from, at),
    end: Math.max(to, at),
    above: true,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "language-card";
      const dispose = render(() => <Card view={view} problems={problems} about={about} />, dom);
      return { dom, destroy: dispose };
    },
  };
}

/** So many fixes stand in the card; the menu has all. */
const MOST_FIXES = 3;

function Card(props: {
  readonly view: EditorView;
  readonly problems: readonly PlacedProblem[];
  readonly about: Hover | null | Promise<Hover | null>;
}) {
  const [text, setText] = createSignal<HTMLElement | null>(null);
  const [fixes, setFixes] = createSignal<readonly Offer[]>([]);
  void Promise.resolve(props.about).then(async (hover) => {
    if (!hover) return;
    const { markdown } = await import("./markdown.js");
    setText(markdown(hover.text));
  });
  void fixesOf(props.view, props.problems).then(setFixes);
  return (
    <>
      <For each={props.problems}>{({ problem }) => <ProblemCard problem={problem} />}</For>
      <Show when={fixes().length > 0}>
        <div class="problem-fixes">
          <For each={fixes().slice(0, MOST_FIXES)}>
            {(offer) => (
              <button
                type="button"
                class="problem-fix"
                onClick={() => {
                  props.view.focus();
                  void take(offer);
                }}
              >
                <Icon name="bulb" />
                {shownText(offer.action.title)}
              </button>
            )}
          </For>
        </div>
      </Show>
      <Show when={text()}>{(shown) => <div class="language-about">{shown()}</div>}</Show>
    </>
  );
}

/** Of all the problems at once: the workbench knows the last answer only. */
async function fixesOf(
  view: EditorView,
  problems: readonly PlacedProblem[],
): Promise<readonly Offer[]> {
  if (problems.length === 0) return [];
  const from = Math.min(...problems.map((one) => one.from));
  const to = Math.max(...problems.map((one) => one.to));
  const ask = (uri: Uri, text: Text) =>
    offersFor({ uri, range: rangeOf(text, from, to), only: "quickfix" });
  return (await question(view, ask, "text").catch(() => null)) ?? [];
}

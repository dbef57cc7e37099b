import type { EditorView } from "@codemirror/view";
import type { Uri } from "@lockstep/protocol";
import type { CodeAction, TextRange } from "@lockstep/workbench/contract";
import { createSignal, Show } from "solid-js";
import { Menu, type MenuItem, showProblem, showToast } from "../design/index.js";
import { shownText } from "../design/shown-text.js";
import { rangeOf } from "../editor/text-places.js";
import { type PlacedProblem, problemsBetween } from "../problems/problem-marks.js";
import { call } from "../replica/link.js";
import { changedWords } from "./changed-words.js";
import { question } from "./question.js";

interface Asked {
  readonly uri: Uri;
  readonly range: TextRange;
  readonly only?: "quickfix";
}

/** Something that can be done, and how it was asked for. */
export interface Offer {
  readonly action: CodeAction;
  readonly asked: Asked;
  /** The workbench knows an answer until it is asked again. */
  readonly answer: number;
}

interface OpenMenu {
  readonly at: { readonly x: number; readonly y: number };
  readonly offers: readonly Offer[];
}

const [menu, setMenu] = createSignal<OpenMenu | null>(null);
let answers = 0;

/** What can be done there: fixes first, and of those the server's first choice. */
export async function offersFor(asked: Asked): Promise<readonly Offer[]> {
  const answer = ++answers;
  const found = await call("language.actions", asked);
  return found
    .filter(({ disabled }) => disabled === undefined)
    .sort((a, b) => weight(a) - weight(b))
    .map((action) => ({ action, asked, answer }));
}

function weight({ kind, preferred }: CodeAction): number {
  if (kind.startsWith("quickfix")) return preferred ? 0 : 1;
  return kind.startsWith("source") ? 3 : 2;
}

/** The menu of what can be done about a place in some file. */
export async function showFixes(asked: Asked, at: OpenMenu["at"]): Promise<void> {
  open(await offersFor(asked), at);
}

/** The menu of what can be done at the cursor, or with the selection. */
export async function showActions(view: EditorView): Promise<void> {
  const { head } = view.state.selection.main;
  const { from, to } = rangeToAct(view);
  try {
    const offers = await question(view, (uri, text) =>
      offersFor({ uri, range: rangeOf(text, from, to) }),
    );
    const place = view.coordsAtPos(head);
    if (offers && place) open(offers, { x: place.left, y: place.bottom + 2 });
  } catch (problem) {
    showProblem(problem);
  }
}

/** What is selected; else the problem at the cursor, else the nearest one in its line. */
function rangeToAct(view: EditorView): { readonly from: number; readonly to: number } {
  const { main } = view.state.selection;
  const line = view.state.doc.lineAt(main.head);
  if (!main.empty || problemsBetween(view, main.head, main.head).length > 0) return main;
  const distance = ({ from, to }: PlacedProblem) => Math.max(from - main.head, main.head - to);
  const [nearest] = [...problemsBetween(view, line.from, line.to)].sort(
    (a, b) => distance(a) - distance(b),
  );
  return nearest ?? main;
}

function open(offers: readonly Offer[], at: OpenMenu["at"]): void {
  if (offers.length > 0) setMenu({ offers, at });
  else showToast({ text: "There is no quick fix here." });
}

export async function take(offer: Offer): Promise<void> {
  try {
    const { id, title } = (await current(offer)).action;
    const changed = await call("language.act", { id });
    if (changed.files > 1) showToast({ text: `${shownText(title)}: ${changedWords(changed)}` });
  } catch (problem) {
    showProblem(problem);
  }
}

/** The same as the workbench knows it now: something else may have been asked meanwhile. */
async function current(offer: Offer): Promise<Offer> {
  if (offer.answer === answers) return offer;
  const { title, kind } = offer.action;
  const offers = await offersFor(offer.asked);
  const same = offers.find(({ action }) => action.title === title && action.kind === kind);
  if (!same) throw new Error("The text has changed, and this cannot be done there any more.");
  return same;
}

/** Mounted once: the menu of quick fixes and refactorings. */
export function ActionMenu() {
  return (
    <Show when={menu()} keyed>
      {({ at, offers }) => (
        <Menu label="Quick fixes" at={at} items={itemsOf(offers)} onClose={() => setMenu(null)} />
      )}
    </Show>
  );
}

function itemsOf(offers: readonly Offer[]): readonly MenuItem[] {
  const isFix = ({ action }: Offer) => weight(action) < 2;
  return offers.flatMap((offer, index): readonly MenuItem[] => {
    const before = offers[index - 1];
    const item: MenuItem = {
      label: shownText(offer.action.title),
      ...(isFix(offer) ? { icon: "bulb" as const } : {}),
      run: () => void take(offer),
    };
    return before && isFix(before) !== isFix(offer) ? [{ kind: "line" }, item] : [item];
  });
}

import { closeCompletion, completionStatus } from "@codemirror/autocomplete";
import { type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  type EditorView,
  keymap,
  showTooltip,
  type Tooltip,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import type { SignatureHelp } from "@lockstep/workbench/contract";
import { shownText } from "../design/shown-text.js";
import { placeOf } from "../editor/text-places.js";
import { call } from "../replica/link.js";
import { question } from "./question.js";

interface Shown {
  readonly help: SignatureHelp;
  /** The overload that is looked at. */
  readonly chosen: number;
  readonly at: number;
}

/** Typed characters that begin a call, or its next argument. */
const TRIGGERS = /[(,<]/;
/** Shown already, it follows the cursor as quickly as typing allows. */
const PAUSE_MS = 40;

const setShown = StateEffect.define<Shown | null>();

const shown = StateField.define<Shown | null>({
  create: () => null,
  update: (now, { effects, docChanged, changes }) => {
    const next = effects.find((effect) => effect.is(setShown));
    if (next) return next.value;
    return now && docChanged ? { ...now, at: changes.mapPos(now.at) } : now;
  },
  provide: (field) => showTooltip.from(field, (now) => now && tooltip(now)),
});

const asking = ViewPlugin.fromClass(
  class {
    #timer: ReturnType<typeof setTimeout> | undefined;
    /** Counts up when the person wants none: an answer that is under way is not shown then. */
    #dismissed = 0;

    constructor(readonly view: EditorView) {}

    update({ transactions, docChanged, selectionSet, state }: ViewUpdate): void {
      const isShown = state.field(shown) !== null;
      const typed = transactions.some((transaction) => transaction.isUserEvent("input.type"));
      if (typed && TRIGGERS.test(letterBefore(state))) this.ask(letterBefore(state));
      else if (isShown && (docChanged || selectionSet)) this.ask();
    }

    ask(trigger?: string): void {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#ask(trigger), PAUSE_MS);
    }

    dismiss(): void {
      clearTimeout(this.#timer);
      this.#dismissed++;
    }

    async #ask(trigger?: string): Promise<void> {
      const { view } = this;
      const dismissed = this.#dismissed;
      const at = view.state.selection.main.head;
      let isAnswered = false;
      const help = await question(view, async (uri, text) => {
        const answer = await call("language.signature", {
          uri,
          position: placeOf(text, at),
          ...(trigger ? { trigger } : {}),
        });
        isAnswered = true;
        return answer;
      }).catch(() => null);
      if (dismissed !== this.#dismissed) return;
      // What was thrown away because the cursor moved is asked again by that move.
      if (!isAnswered && view.state.selection.main.head !== at) return;
      const before = view.state.field(shown);
      if (!help || help.signatures.length === 0) {
        if (before) view.dispatch({ effects: setShown.of(null) });
        return;
      }
      const chosen = isSame(before?.help, help) ? (before?.chosen ?? 0) : help.signature;
      view.dispatch({ effects: setShown.of({ help, chosen, at }) });
    }

    destroy(): void {
      clearTimeout(this.#timer);
    }
  },
);

/** Overloads that are the same stay at the one that the person chose. */
function isSame(a: SignatureHelp | undefined, b: SignatureHelp): boolean {
  return (
    a?.signatures.length === b.signatures.length &&
    a.signatures.every(({ label }, index) => label === b.signatures[index]?.label)
  );
}

function letterBefore({ doc, selection }: EditorView["state"]): string {
  const { head } = selection.main;
  return doc.sliceString(Math.max(0, head - 1), head);
}

/** By key, wherever the cursor is in a call. */
export function showSignature(view: EditorView): void {
  view.plugin(asking)?.ask();
}

/** A list of completions that is seen goes first; one that is still asked for goes along. */
function hide(view: EditorView): boolean {
  if (completionStatus(view.state) === "active") return false;
  view.plugin(asking)?.dismiss();
  if (!view.state.field(shown)) return false;
  closeCompletion(view);
  view.dispatch({ effects: setShown.of(null) });
  return true;
}

const step = (by: 1 | -1) => (view: EditorView) => {
  const now = view.state.field(shown);
  const count = now?.help.signatures.length ?? 0;
  if (!now || count < 2 || completionStatus(view.state) === "active") return false;
  const chosen = (now.chosen + by + count) % count;
  view.dispatch({ effects: setShown.of({ ...now, chosen }) });
  return true;
};

/** What a call expects, above the cursor while it is typed; arrows go through its overloads. */
export const signatures: Extension = [
  shown,
  asking,
  // Before completion, which takes the key also for a list that is not there yet.
  Prec.highest(keymap.of([{ key: "Escape", run: hide }])),
  Prec.high(
    keymap.of([
      { key: "ArrowUp", run: step(-1) },
      { key: "ArrowDown", run: step(1) },
    ]),
  ),
];

function tooltip({ help, chosen, at }: Shown): Tooltip {
  return {
    pos: at,
    above: true,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "language-card signature";
      void fill(dom, help, chosen);
      return { dom };
    },
  };
}

async function fill(dom: HTMLElement, help: SignatureHelp, chosen: number): Promise<void> {
  const signature = help.signatures[chosen];
  if (!signature) return;
  const line = document.createElement("div");
  line.className = "signature-line";
  const parameter = signature.parameters[help.parameter ?? -1];
  const label = shownText(signature.label);
  const { from = 0, to = 0 } = parameter ?? {};
  const now = document.createElement("strong");
  now.className = "signature-parameter";
  now.textContent = label.slice(from, to);
  line.append(label.slice(0, from), now, label.slice(to));
  if (help.signatures.length > 1) {
    const count = document.createElement("span");
    count.className = "signature-count";
    count.textContent = `${chosen + 1}/${help.signatures.length}`;
    count.title = "Arrow keys show the others";
    line.prepend(count);
  }
  dom.append(line);
  const texts = [parameter?.documentation ?? "", signature.documentation].filter(Boolean);
  if (texts.length === 0) return;
  const { markdown } = await import("./markdown.js");
  for (const text of texts) {
    const about = document.createElement("div");
    about.className = "language-about";
    about.append(markdown(text));
    dom.append(about);
  }
}

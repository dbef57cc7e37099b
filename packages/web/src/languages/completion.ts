import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completeAnyWord,
} from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import { type Extension, Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import type { CompletionItem, Completions } from "@lockstep/workbench/contract";
import { documentOf } from "../editor/document-of.js";
import { offsetOf, placeOf } from "../editor/text-places.js";
import { call } from "../replica/link.js";
import { CompletionList } from "./completion-list.js";
import { optionLook } from "./completion-look.js";
import { question } from "./question.js";
import { isProse, isTrigger, nameBefore, wholeName } from "./triggers.js";

const NOTHING: Completions = { list: 0, items: [], incomplete: false };

/** Languages that some server has completed something of. */
const known = new Set<string>();

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const { view, state, pos, explicit } = context;
  const document = state.facet(documentOf);
  if (!view || !document) return null;
  const { languageId } = document;
  const typed = context.matchBefore(nameBefore(languageId));
  const letter = state.sliceDoc(Math.max(0, pos - 1), pos);
  const trigger = !typed && isTrigger(languageId, letter) ? letter : undefined;
  if (!explicit && !isWorthAsking(context, typed?.text, trigger)) return null;
  // What is asked is asked of this very text: more typing asks anew.
  context.addEventListener("abort", () => {}, { onDocChange: true });
  const answer = await question(
    view,
    (uri, text) =>
      call("language.complete", {
        uri,
        position: placeOf(text, pos),
        ...(trigger === undefined ? {} : { trigger }),
      }),
    "text",
  ).catch(() => NOTHING);
  if (context.aborted || !answer) return null;
  if (answer.items.length === 0) return words(context, languageId);
  known.add(languageId);
  const list = CompletionList.next(view, answer.list);
  const from = startOf(context, answer.items) ?? typed?.from ?? pos;
  return {
    from,
    options: answer.items.map((item) => list.option(item)),
    ...(answer.incomplete ? {} : { validFor: wholeName(languageId) }),
    getMatch: matchIn,
  };
}

/** Numbers and comments are not completed unless somebody asks. */
function isWorthAsking(
  { state, pos }: CompletionContext,
  typed: string | undefined,
  trigger: string | undefined,
): boolean {
  if (typed === undefined && trigger === undefined) return false;
  if (typed !== undefined && /^\d/.test(typed)) return false;
  return !/comment/i.test(syntaxTree(state).resolveInner(pos, -1).name);
}

/** Where all the items begin; null if they differ. */
function startOf({ state }: CompletionContext, items: readonly CompletionItem[]): number | null {
  const [first] = items;
  if (!first?.replace) return null;
  const { line, character } = first.replace.start;
  const isSame = ({ replace }: CompletionItem) =>
    replace?.start.line === line && replace.start.character === character;
  return items.every(isSame) ? offsetOf(state.doc, first.replace.start) : null;
}

/** What stands in the text, where no server knows better. */
function words(
  context: CompletionContext,
  languageId: string,
): CompletionResult | null | Promise<CompletionResult | null> {
  if (known.has(languageId)) return null;
  if (!context.explicit && isProse(languageId)) return null;
  return completeAnyWord(context);
}

/** The letters that were matched, where what is shown is what they were looked for in. */
function matchIn(completion: Completion, matched?: readonly number[]): readonly number[] {
  const shown = completion.displayLabel ?? completion.label;
  return matched && shown.startsWith(completion.label) ? matched : [];
}

/** Completion as it is typed, by trigger characters and by Ctrl+Space; and closing brackets. */
export const completing: Extension = [
  autocompletion({
    override: [complete],
    icons: false,
    activateOnTypingDelay: 60,
    maxRenderedOptions: 200,
    optionClass: ({ type }) => (type?.includes("deprecated") ? "complete-deprecated" : ""),
    addToOptions: optionLook,
  }),
  closeBrackets(),
  Prec.high(keymap.of([...closeBracketsKeymap, { key: "Tab", run: acceptCompletion }])),
];

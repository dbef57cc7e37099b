import type { CompletionDetail, CompletionItem, Completions } from "../contract/languages.js";
import { WorkbenchError } from "../errors.js";
import type { Window } from "../windows/window.js";
import { isObject } from "./capabilities.js";
import { completionKind } from "./kinds.js";
import * as lsp from "./lsp.js";
import { markdown } from "./markdown.js";
import type { RunningServer } from "./running-server.js";

/** Nobody scrolls through more; the others come when more is typed. */
const MOST_ITEMS = 1_000;
/** Lists of one window whose items can still be asked about. */
const LISTS_KEPT = 3;

export const NO_COMPLETIONS: Completions = { list: 0, items: [], incomplete: false };

interface Kept {
  readonly list: number;
  readonly server: RunningServer;
  /** As the server wants them back. */
  readonly items: readonly unknown[];
}

/** What could be typed, and what is told of it when somebody looks at it. */
export class CompletionLists {
  readonly #kept = new WeakMap<Window, readonly Kept[]>();
  #last = 0;

  /** `typed` is what stands before the cursor of the word that is being typed. */
  take(window: Window, server: RunningServer, answer: unknown, typed: string): Completions {
    const whole = Array.isArray(answer) ? { items: answer } : answer;
    const { data } = lsp.completionList.safeParse(whole);
    if (!data) return NO_COMPLETIONS;
    const { itemDefaults: defaults } = data;
    const good = data.items.flatMap((raw) => {
      const item = lsp.completionItem.safeParse(raw).data;
      return item ? [{ raw, item }] : [];
    });
    const fitting = good.length > MOST_ITEMS ? good.filter(({ item }) => fits(item, typed)) : good;
    const chosen = fitting.slice(0, MOST_ITEMS);
    const list = ++this.#last;
    const items = chosen.map(({ raw }) => withDefaults(raw, defaults?.data));
    const before = this.#kept.get(window) ?? [];
    this.#kept.set(window, [...before, { list, server, items }].slice(-LISTS_KEPT));
    return {
      list,
      items: chosen.map(({ item }, id) => shown(item, id, defaults ?? {})),
      incomplete: data.isIncomplete === true || chosen.length < good.length,
    };
  }

  async detail(
    window: Window,
    list: number,
    item: number,
    signal: AbortSignal,
  ): Promise<CompletionDetail> {
    const kept = this.#kept.get(window)?.find((each) => each.list === list);
    const raw = kept?.items[item];
    if (!kept || raw === undefined) {
      throw new WorkbenchError("This list of completions is too old: ask for a new one.");
    }
    const resolves = kept.server.offer("textDocument/completion")?.resolveProvider === true;
    const answer = resolves
      ? await kept.server.request("completionItem/resolve", raw, { signal })
      : raw;
    const { data } = lsp.completionItem.safeParse(answer);
    return {
      detail: data?.detail ?? "",
      documentation: markdown(data?.documentation),
      edits: (data?.additionalTextEdits ?? []).map(({ range, newText }) => ({
        range,
        text: newText,
      })),
    };
  }
}

type Defaults = NonNullable<ReturnType<typeof lsp.completionList.parse>["itemDefaults"]>;

function shown(item: lsp.LspCompletionItem, id: number, defaults: Defaults): CompletionItem {
  const { label, labelDetails, textEdit } = item;
  const commit = item.commitCharacters ?? defaults.commitCharacters;
  const replace = textEdit?.range ?? defaults.editRange;
  const insert = textEdit?.newText ?? item.textEditText ?? item.insertText ?? label;
  const deprecated = item.deprecated === true || item.tags?.includes(1);
  const format = item.insertTextFormat ?? defaults.insertTextFormat;
  return {
    id,
    label: label.trim() || label,
    ...(labelDetails?.detail ? { labelDetail: labelDetails.detail } : {}),
    ...(labelDetails?.description ? { description: labelDetails.description } : {}),
    kind: completionKind(item.kind),
    ...(item.filterText ? { filter: item.filterText } : {}),
    ...(item.sortText ? { sort: item.sortText } : {}),
    insert,
    snippet: format === 2,
    ...(replace ? { replace } : {}),
    ...(commit && commit.length > 0 ? { commit } : {}),
    ...(deprecated ? { deprecated: true } : {}),
  };
}

/** Whether the letters that were typed are in it, in their order. */
function fits({ label, filterText }: lsp.LspCompletionItem, typed: string): boolean {
  const text = (filterText ?? label).toLowerCase();
  let at = 0;
  for (const letter of typed.toLowerCase()) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** What all items share is said once; the server wants it with each. */
const withDefaults = (raw: unknown, data: unknown): unknown =>
  data !== undefined && isObject(raw) && raw.data === undefined ? { ...raw, data } : raw;

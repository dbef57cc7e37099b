import {
  type Completion,
  type CompletionInfo,
  insertCompletionText,
  pickedCompletion,
  snippet,
} from "@codemirror/autocomplete";
import type { ChangeSpec, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { CompletionDetail, CompletionItem } from "@lockstep/workbench/contract";
import { shownText } from "../design/shown-text.js";
import { offsetOf } from "../editor/text-places.js";
import { call } from "../replica/link.js";
import { type ChangesSince, changesSince } from "./changes-since.js";
import { snippetTemplate } from "./snippet-template.js";

/** A completion with what is told of it beside CodeMirror's own. */
export interface ServerCompletion extends Completion {
  readonly labelDetail?: string;
}

interface Known {
  readonly detail: CompletionDetail;
  /** Its edits are meant in the text as it was when they were asked for. */
  readonly text: Text;
  readonly since: ChangesSince | null;
}

const lists = new WeakMap<EditorView, CompletionList>();

/** One answer of a server: its items as options, what is told of each, and what taking one does. */
export class CompletionList {
  readonly #view: EditorView;
  readonly #id: number;
  readonly #since: ChangesSince | null;
  readonly #text: Text;
  readonly #known = new Map<number, Known>();
  readonly #followed: ChangesSince[] = [];
  #asking = 0;
  #isOver = false;

  /** The list that a view shows from now on. */
  static next(view: EditorView, id: number): CompletionList {
    lists.get(view)?.end();
    const list = new CompletionList(view, id);
    lists.set(view, list);
    return list;
  }

  private constructor(view: EditorView, id: number) {
    this.#view = view;
    this.#id = id;
    this.#text = view.state.doc;
    this.#since = this.#follow();
  }

  option(item: CompletionItem): ServerCompletion {
    return {
      label: item.filter ?? item.label,
      displayLabel: shownText(item.label),
      sortText: item.sort ?? item.label,
      type: `${item.kind}${item.deprecated ? " deprecated" : ""}`,
      ...(item.labelDetail ? { labelDetail: shownText(item.labelDetail) } : {}),
      ...(item.description ? { detail: shownText(item.description) } : {}),
      ...(item.commit ? { commitCharacters: item.commit } : {}),
      ...(item.deprecated ? { boost: -20 } : {}),
      info: () => this.#info(item),
      apply: (view, completion, from, to) => this.#apply(view, completion, item, from, to),
    };
  }

  async #info(item: CompletionItem): Promise<CompletionInfo> {
    const known = await this.#ask(item).catch(() => null);
    if (!known) return null;
    const { detail, documentation } = known.detail;
    if (detail === "" && documentation === "") return null;
    const { markdown } = await import("./markdown.js");
    const dom = document.createElement("div");
    dom.className = "complete-about";
    if (detail !== "") {
      const head = document.createElement("div");
      head.className = "complete-signature";
      head.textContent = shownText(detail);
      dom.append(head);
    }
    if (documentation !== "") dom.append(markdown(documentation));
    return dom;
  }

  async #ask(item: CompletionItem): Promise<Known> {
    const before = this.#known.get(item.id);
    if (before) return before;
    const since = this.#follow();
    const text = this.#view.state.doc;
    this.#asking++;
    try {
      const detail = await call("language.completion", { list: this.#id, item: item.id });
      const known = { detail, since, text };
      // An answer to a question that another one has overtaken says nothing.
      const { documentation, edits } = detail;
      if (detail.detail || documentation || edits.length > 0) this.#known.set(item.id, known);
      return known;
    } finally {
      this.#asking--;
      // After whoever waits for it has taken it.
      setTimeout(() => this.#release());
    }
  }

  #follow(): ChangesSince | null {
    const since = changesSince(this.#view);
    if (since) this.#followed.push(since);
    return since;
  }

  /** Another list has taken its place; what was chosen from it may still be on its way. */
  end(): void {
    this.#isOver = true;
    this.#release();
  }

  #release(): void {
    if (!this.#isOver || this.#asking > 0) return;
    for (const since of this.#followed.splice(0)) since.stop();
  }

  /** What is known already is done in one step, so that one undo takes all of it back. */
  #apply(
    view: EditorView,
    completion: Completion,
    item: CompletionItem,
    from: number,
    to: number,
  ): void {
    const known = this.#known.get(item.id);
    const start = Math.min(from, this.#startOf(item) ?? from);
    const end = Math.max(to, this.#endOf(item) ?? to);
    const edits = known ? changesOf(known) : [];
    if (item.snippet) {
      snippet(snippetTemplate(item.insert))(view, completion, start, end);
      if (known) this.#edit(view, known);
    } else {
      view.dispatch(
        view.state.update(
          insertCompletionText(view.state, item.insert, start, end),
          { annotations: pickedCompletion.of(completion) },
          { changes: edits },
        ),
      );
    }
    // What a server says too late, or not at all, is not missed: the word itself is there.
    if (!known) {
      void this.#ask(item)
        .then((late) => this.#edit(view, late))
        .catch(() => {});
    }
  }

  #edit(view: EditorView, known: Known): void {
    const changes = changesOf(known);
    if (changes.length > 0) view.dispatch({ changes, userEvent: "input.complete" });
  }

  #startOf({ replace }: CompletionItem): number | null {
    if (!replace) return null;
    return this.#now(offsetOf(this.#text, replace.start), -1);
  }

  #endOf({ replace }: CompletionItem): number | null {
    if (!replace) return null;
    return this.#now(offsetOf(this.#text, replace.end), 1);
  }

  #now(offset: number, side: 1 | -1): number {
    return this.#since?.changes.mapPos(offset, side) ?? offset;
  }
}

function changesOf({ detail, since, text }: Known): readonly ChangeSpec[] {
  const now = (offset: number) => since?.changes.mapPos(offset, 1) ?? offset;
  return detail.edits.map(({ range, text: insert }) => ({
    from: now(offsetOf(text, range.start)),
    to: now(offsetOf(text, range.end)),
    insert,
  }));
}

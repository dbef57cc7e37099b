import type { ChangeDesc } from "@codemirror/state";
import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** What has been changed in a text since a moment; for what was told of the text as it was then. */
export interface ChangesSince {
  readonly changes: ChangeDesc;
  /** Nothing is followed from then on. */
  stop(): void;
}

const following = ViewPlugin.fromClass(
  class {
    readonly #followed = new Set<{ changes: ChangeDesc }>();

    constructor(readonly view: EditorView) {}

    follow(): ChangesSince {
      const { state } = this.view;
      const since = { changes: state.changes().desc, stop: () => this.#followed.delete(since) };
      this.#followed.add(since);
      return since;
    }

    update({ docChanged, changes }: ViewUpdate): void {
      if (!docChanged) return;
      for (const since of this.#followed) since.changes = since.changes.composeDesc(changes.desc);
    }
  },
);

export const followChanges = following;

/** From now on. */
export function changesSince(view: EditorView): ChangesSince | null {
  return view.plugin(following)?.follow() ?? null;
}

import { EditorView } from "@codemirror/view";
import type { WholeCell } from "@lockstep/workbench/contract";
import {
  createEffect,
  createResource,
  createSignal,
  on,
  onCleanup,
  onMount,
  Show,
  Suspense,
} from "solid-js";
import { languageFor } from "../editor/languages.js";
import { indentation, readOnly, slots } from "../editor/setup.js";
import { state } from "../replica/state.js";
import type { OpenCell } from "./open-cell.js";
import type { NotebookSession } from "./session.js";

interface SourceProps {
  readonly session: NotebookSession;
  readonly cell: WholeCell;
  /** It is near enough to be seen. */
  readonly near: boolean;
  readonly label: string;
  /** Its text is at hand; null again when it is put away. */
  readonly onOpen: (cell: OpenCell | null) => void;
}

/** The text of a cell: an editor, or markdown as it is read, or plain while it is far from sight. */
export function CellSource(props: SourceProps) {
  const [open, setOpen] = createSignal<OpenCell | null>(null);
  createEffect(() => {
    if (!props.near || open()) return;
    const { key } = props.cell;
    props.session.open(key).then(
      (cell) => {
        setOpen(cell);
        props.onOpen(cell);
      },
      () => {},
    );
  });
  onCleanup(() => props.onOpen(null));
  const isRead = () => props.cell.kind === "markdown" && !props.session.isEdited(props.cell.key);
  return (
    <Show when={!isRead()} fallback={<Read {...props} open={open()} />}>
      <Show when={open()} keyed fallback={<pre class="nb-plain">{props.cell.source}</pre>}>
        {(cell) => <CellEditor {...props} open={cell} />}
      </Show>
    </Show>
  );
}

function CellEditor(props: SourceProps & { readonly open: OpenCell }) {
  const view = props.open.show();
  let place: HTMLDivElement | undefined;
  onMount(() => {
    place?.append(view.dom);
    const { key } = props.cell;
    if (props.session.selected === key && props.session.mode === "edit") view.focus();
  });
  onCleanup(() => props.open.hide());
  const language = () => {
    const { kind } = props.cell;
    if (kind === "markdown") return "markdown";
    return kind === "code" ? (state().notebooks[props.session.uri]?.language ?? "") : "plaintext";
  };
  createEffect(
    on(language, async (wanted) => {
      const found = await languageFor(wanted, props.open.state.doc.length);
      if (wanted !== language()) return;
      props.open.dispatch(props.open.state.update({ effects: slots.language.reconfigure(found) }));
    }),
  );
  createEffect(() => {
    const { tabSize, wordWrap } = state().settings.now;
    const wrap = wordWrap || props.cell.kind !== "code" ? EditorView.lineWrapping : [];
    const why = state().documents[props.session.uri]?.readOnly ?? null;
    const named = EditorView.contentAttributes.of({ "aria-label": props.label });
    props.open.dispatch(
      props.open.state.update({
        effects: [
          slots.indentation.reconfigure(indentation({ insertSpaces: true, size: tabSize })),
          slots.wrap.reconfigure(wrap),
          slots.readOnly.reconfigure(readOnly(why)),
          slots.label.reconfigure(named),
        ],
      }),
    );
  });
  return <div class="nb-editor" ref={place} />;
}

function Read(props: SourceProps & { readonly open: OpenCell | null }) {
  const [rich] = createResource(
    () => props.near,
    () => import("./rich.js"),
  );
  const text = () => props.open?.text ?? props.cell.source;
  const isEmpty = () => text().trim() === "";
  return (
    <Show
      when={!isEmpty()}
      fallback={<p class="nb-read nb-note">Empty text. Press Enter to write.</p>}
    >
      {/* Waited for here: the notebook around it stays on the page, with its focus and its place. */}
      <Suspense fallback={<pre class="nb-plain">{text()}</pre>}>
        <Show when={rich()} fallback={<pre class="nb-plain">{text()}</pre>}>
          {(cleaners) => (
            <div
              class="nb-read nb-rich"
              ref={(element) =>
                createEffect(() =>
                  element.replaceChildren(
                    cleaners().renderMarkdown(text(), { ...props.cell.attachments }),
                  ),
                )
              }
            />
          )}
        </Show>
      </Suspense>
    </Show>
  );
}

import { EditorSelection } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { ConnectionClosed, type Uri } from "@lockstep/protocol";
import {
  createEffect,
  createMemo,
  createSignal,
  Match,
  on,
  onCleanup,
  Show,
  Switch,
  untrack,
} from "solid-js";
import { onLink } from "../replica/link.js";
import { state } from "../replica/state.js";
import { pendingReveal, type Reveal, takeReveal } from "../replica/view.js";
import { afterFrame } from "./after-frame.js";
import { Banners } from "./banners.js";
import { MentionButton } from "./mention-button.js";
import type { DocumentListener, OpenDocument } from "./open-document.js";
import { openDocument } from "./open-documents.js";
import { Closed, Failed, Loading } from "./other-states.js";
import { SelectionReport } from "./selection-report.js";
import { setShownView, showPlace } from "./shown.js";
import { offsetOf } from "./text-places.js";

type Phase =
  | { readonly kind: "loading" | "closed" }
  | { readonly kind: "shown"; readonly document: OpenDocument }
  | { readonly kind: "failed"; readonly why: string };

const report = new SelectionReport();
let shown: OpenDocument | null = null;

const tellPlace = () => {
  if (!shown) return;
  showPlace(shown);
  report.changed();
};
const tellPlaceSoon = afterFrame(tellPlace);

const listener: DocumentListener = {
  updated: (document, update) => {
    if (document !== shown) return;
    if (update.docChanged) tellPlaceSoon();
    else if (update.selectionSet) tellPlace();
  },
  sent: (document) => {
    if (document === shown) report.sent();
  },
};

/** A document's text in the middle of the window, with what there is to know about it above. */
export function EditorPane(props: { readonly uri: Uri }) {
  const view = new EditorView();
  const [phase, setPhase] = createSignal<Phase>({ kind: "loading" });
  const [attempt, setAttempt] = createSignal(0);
  const info = () => state().documents[props.uri];
  const isThere = createMemo(() => info() !== undefined);
  const retry = () => setAttempt((count) => count + 1);

  const hide = () => {
    shown?.hide();
    shown = null;
    setShownView(null);
    showPlace(null);
    report.of(null);
  };
  const show = (document: OpenDocument) => {
    if (document === shown) return;
    const hadFocus = view.hasFocus;
    hide();
    document.show(view);
    shown = document;
    setShownView(view);
    showPlace(document);
    setPhase({ kind: "shown", document });
    report.of(document);
    if (hadFocus || globalThis.document.activeElement === globalThis.document.body) view.focus();
  };
  createEffect(
    on([() => props.uri, isThere, attempt], ([uri, there], before) => {
      const sameAsBefore = before?.[0] === uri && before[2] === attempt();
      const now = untrack(phase);
      if (sameAsBefore && now.kind === "shown") {
        if (!there && !now.document.unsent) setPhase({ kind: "closed" });
        return;
      }
      if (sameAsBefore && now.kind === "loading") return;
      hide();
      setPhase({ kind: "loading" });
      const isWanted = () => props.uri === uri;
      openDocument(uri, listener).then(
        (document) => isWanted() && show(document),
        (error: unknown) => {
          if (!isWanted() || error instanceof ConnectionClosed) return;
          setPhase({ kind: "failed", why: error instanceof Error ? error.message : String(error) });
        },
      );
    }),
  );

  /** What of the settings and the document matters to the text, as one value that can be compared. */
  const wanted = createMemo(() => {
    const { tabSize, insertSpaces, wordWrap, fontSize, fontFamily } = state().settings.now;
    const { readOnly, label, languageId } = info() ?? {};
    return JSON.stringify({
      ...{ tabSize, insertSpaces, wordWrap, fontSize, fontFamily, readOnly, label, languageId },
    });
  });
  createEffect(
    on([phase, wanted], ([now]) => {
      const known = info();
      if (now.kind !== "shown" || !known) return;
      now.document.configure(known, state().settings.now);
      showPlace(now.document);
      view.requestMeasure();
    }),
  );

  createEffect(() => {
    const now = phase();
    const asked = pendingReveal();
    if (now.kind !== "shown" || asked?.uri !== now.document.uri) return;
    const taken = takeReveal(now.document.uri);
    if (taken) reveal(view, taken.range);
  });

  const listening = new AbortController();
  window.addEventListener("focus", () => report.again(), { signal: listening.signal });
  const unlink = onLink(async () => {
    report.again();
    if (phase().kind === "loading") retry();
  });
  onCleanup(() => {
    listening.abort();
    unlink();
    hide();
    view.destroy();
  });

  const font = () => state().settings.now;
  return (
    <section class="editor" aria-label="Editor">
      <Show when={info()}>{(known) => <Banners info={known()} />}</Show>
      <div
        class="editor-body"
        style={{
          "--editor-font-size": `${font().fontSize}px`,
          "--editor-font": font().fontFamily || "var(--font-code)",
        }}
      >
        <div class="editor-text" classList={{ "editor-hidden": phase().kind !== "shown" }}>
          {view.dom}
        </div>
        <Show when={phase().kind === "shown"}>
          <MentionButton view={view} />
        </Show>
        <Switch>
          <Match when={phase().kind === "loading"}>
            <Loading />
          </Match>
          <Match when={phase().kind === "closed"}>
            <Closed onReopen={retry} />
          </Match>
          <Match when={failure(phase())}>
            {(why) => <Failed uri={props.uri} why={why()} onRetry={retry} />}
          </Match>
        </Switch>
      </div>
    </section>
  );
}

const failure = (phase: Phase): string | null => (phase.kind === "failed" ? phase.why : null);

/** Selects a range and brings it to the middle. Places beyond the text are at its end. */
function reveal(view: EditorView, { start, end }: Reveal["range"]): void {
  const { doc } = view.state;
  const range = EditorSelection.range(offsetOf(doc, start), offsetOf(doc, end));
  view.dispatch({
    selection: range,
    effects: EditorView.scrollIntoView(range, { y: "center" }),
    userEvent: "select",
  });
  view.focus();
}

import type { Uri } from "@lockstep/protocol";
import {
  createEffect,
  createMemo,
  createSignal,
  For,
  Match,
  on,
  onCleanup,
  Show,
  Switch,
} from "solid-js";
import { Button, EmptyState } from "../design/index.js";
import { Banners } from "../editor/banners.js";
import { Failed, Loading } from "../editor/other-states.js";
import { onLink } from "../replica/link.js";
import { state } from "../replica/state.js";
import { pendingReveal, takeReveal } from "../replica/view.js";
import { insertCell } from "./actions.js";
import { AgentRuns } from "./agent-runs.js";
import { CellView, nearness } from "./cell-view.js";
import { setShownNotebook } from "./commands.js";
import { KernelTrouble } from "./kernel-trouble.js";
import { NotebookKeys } from "./notebook-keys.js";
import { NotebookToolbar } from "./notebook-toolbar.js";
import { placeListener, tellPlace, tellPlaceAgain } from "./place.js";
import { revealCell } from "./reveal-cell.js";
import type { NotebookSession } from "./session.js";
import { notebookSession } from "./sessions.js";

/** Cells within this distance of what is seen are made ready. */
const NEAR = "800px 0px";
/** Where each notebook was left. */
const scrolled = new WeakMap<NotebookSession, number>();

/** A notebook as cells, in the middle of the window. */
export function NotebookView(props: { readonly uri: Uri }) {
  const session = createMemo(() => notebookSession(props.uri, placeListener));
  const info = () => state().notebooks[props.uri];
  const [scroller, setScroller] = createSignal<HTMLDivElement>();

  const listening = new AbortController();
  window.addEventListener("focus", tellPlaceAgain, { signal: listening.signal });
  const unlink = onLink(async () => tellPlaceAgain());
  createEffect(
    on(session, (now) => {
      setShownNotebook(now);
      onCleanup(() => {
        setShownNotebook(null);
        tellPlace(null);
      });
    }),
  );
  onCleanup(() => {
    listening.abort();
    unlink();
  });

  const font = () => state().settings.now;
  const failed = () => {
    const { phase } = session();
    return typeof phase === "object" ? phase.failed : null;
  };
  return (
    <section class="nb" aria-label="Notebook">
      <Show when={state().documents[props.uri]}>{(known) => <Banners info={known()} />}</Show>
      <Show when={info()}>
        {(known) => (
          <>
            <NotebookToolbar session={session()} info={known()} />
            <KernelTrouble session={session()} info={known()} />
          </>
        )}
      </Show>
      <div
        class="nb-scroll"
        ref={setScroller}
        style={{
          "--editor-font-size": `${font().fontSize}px`,
          "--editor-font": font().fontFamily || "var(--font-code)",
        }}
        onScroll={({ currentTarget }) => scrolled.set(session(), currentTarget.scrollTop)}
      >
        <Switch>
          <Match when={session().phase === "loading"}>
            <Loading />
          </Match>
          <Match when={failed()}>
            {(why) => (
              <Failed uri={props.uri} why={why()} onRetry={() => void session().attach()} />
            )}
          </Match>
          <Match when={session().phase === "shown"}>
            <Show when={scroller()} keyed>
              {(root) => (
                <Show when={session()} keyed>
                  {(now) => <Cells session={now} root={root} />}
                </Show>
              )}
            </Show>
          </Match>
        </Switch>
      </div>
    </section>
  );
}

function Cells(props: { readonly session: NotebookSession; readonly root: HTMLElement }) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) nearness.get(target)?.(true);
      }
    },
    { root: props.root, rootMargin: NEAR },
  );
  onCleanup(() => observer.disconnect());
  // Where it was left, once its cells are there.
  queueMicrotask(() => props.root.scrollTo(0, scrolled.get(props.session) ?? 0));
  createEffect(() => {
    const wanted = pendingReveal() && takeReveal(props.session.uri);
    if (wanted) void revealCell(props.session, wanted, props.root);
  });
  let list: HTMLDivElement | undefined;
  const keys = new NotebookKeys(props.session);
  return (
    <div
      class="nb-cells"
      ref={(element) => {
        list = element;
        list.addEventListener("keydown", (event) => keys.hear(event), { capture: true });
      }}
    >
      <For
        each={props.session.keys}
        fallback={
          <EmptyState
            icon="file"
            title="This notebook has no cells"
            actions={
              <Button kind="primary" onClick={() => void insertCell(props.session, "below")}>
                Add a cell
              </Button>
            }
          >
            Add one to write and run code.
          </EmptyState>
        }
      >
        {(key, index) => (
          <Show when={props.session.cell(key)}>
            {(cell) => (
              <CellView
                session={props.session}
                cell={cell()}
                number={index() + 1}
                observer={observer}
              />
            )}
          </Show>
        )}
      </For>
      <AgentRuns runs={props.session.agentRuns} />
    </div>
  );
}

import type { CellRun, WholeCell } from "@lockstep/workbench/contract";
import { createEffect, createSignal, Match, on, onCleanup, onMount, Show, Switch } from "solid-js";
import { keysLabel } from "../commands.js";
import { IconButton } from "../design/index.js";
import { insertCell, removeCell, runCells } from "./actions.js";
import { CellSource } from "./cell-source.js";
import type { OpenCell } from "./open-cell.js";
import { Outputs } from "./outputs.js";
import { tellPlace } from "./place.js";
import type { NotebookSession } from "./session.js";

interface CellProps {
  readonly session: NotebookSession;
  readonly cell: WholeCell;
  /** Counted from 1. */
  readonly number: number;
  readonly observer: IntersectionObserver;
}

const KINDS = { code: "Code", markdown: "Text", raw: "Raw" } as const;
/** What the observer calls when the cell comes near. */
export const nearness = new WeakMap<Element, (near: boolean) => void>();

/** A cell: its number, its text, and what its last run has left. */
export function CellView(props: CellProps) {
  let element: HTMLDivElement | undefined;
  const [near, setNear] = createSignal(false);
  const [open, setOpen] = createSignal<OpenCell | null>(null);
  const key = () => props.cell.key;
  const isSelected = () => props.session.selected === key();
  const isEdit = () => isSelected() && props.session.mode === "edit";
  const label = () => `${KINDS[props.cell.kind]} cell ${props.number}${runWords(props.cell)}`;

  onMount(() => {
    if (!element) return;
    nearness.set(element, setNear);
    props.observer.observe(element);
  });
  onCleanup(() => {
    if (element) props.observer.unobserve(element);
  });

  // The focus follows the choice, but only if it is in the notebook: nobody is torn from elsewhere.
  createEffect(
    on([isSelected, isEdit, open], ([selected, edit, cell]) => {
      if (!selected || !element) return;
      const at = document.activeElement;
      const isOurs = at === document.body || at?.closest(".nb") !== null;
      const inside = cell?.view?.contentDOM;
      if (edit && inside && isOurs && at !== inside) inside.focus();
      else if (!edit && isOurs && at !== element && !element.contains(at)) focusCell(element);
      else if (!edit && inside && at === inside) focusCell(element);
    }),
  );
  createEffect(() => {
    if (isSelected()) tellPlace(open());
  });

  const onFocusIn = ({ target }: FocusEvent) => {
    const isText = target instanceof Element && target.closest(".cm-content") !== null;
    props.session.select(key(), isText ? "edit" : "command");
  };
  const edit = () => {
    if (props.cell.kind === "markdown") props.session.setEdited(key(), true);
    props.session.select(key(), "edit");
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      ref={element}
      class={`nb-cell nb-cell-${props.cell.kind}`}
      classList={{ "nb-selected": isSelected(), "nb-typing": isEdit() }}
      role="group"
      aria-label={label()}
      aria-current={isSelected() ? "true" : undefined}
      data-key={key()}
      data-region-focus={isSelected() ? "" : undefined}
      tabindex={isSelected() ? 0 : -1}
      onFocusIn={onFocusIn}
    >
      <div class="nb-side">
        <Show when={props.cell.kind === "code"}>
          <span class="nb-count" aria-hidden="true">
            {countText(props.cell)}
          </span>
          <IconButton
            class="nb-run"
            icon="play"
            size="s"
            label={`Run cell ${props.number}`}
            keys={keysLabel("Mod+Enter")}
            tabindex={isSelected() ? 0 : -1}
            onClick={() => void runCells(props.session, [key()])}
          />
        </Show>
      </div>
      <div class="nb-body">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter does the same */}
        <div class="nb-source" onDblClick={() => props.cell.kind === "markdown" && edit()}>
          <CellSource
            session={props.session}
            cell={props.cell}
            near={near()}
            label={`Text of cell ${props.number}. Press Escape to leave it.`}
            onOpen={setOpen}
          />
        </div>
        <Show when={props.cell.kind === "code"}>
          <Outputs outputs={props.cell.outputs} />
          <RunNote run={props.cell.run} />
        </Show>
      </div>
      <Show when={isSelected()}>
        <div class="nb-tools" role="toolbar" aria-label={`Cell ${props.number}`}>
          <IconButton
            icon="add"
            size="s"
            label="New cell below"
            keys="B"
            onClick={() => void insertCell(props.session, "below")}
          />
          <IconButton
            icon="trash"
            size="s"
            label="Delete cell"
            keys="D D"
            onClick={() => void removeCell(props.session, key())}
          />
        </div>
      </Show>
    </div>
  );
}

function focusCell(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "nearest" });
}

function countText({ run, executionCount }: WholeCell): string {
  const isAtIt = run.kind === "running" || run.kind === "waiting";
  return `[${isAtIt ? "*" : (executionCount ?? " ")}]`;
}

function runWords({ kind, run, executionCount }: WholeCell): string {
  if (kind !== "code") return "";
  if (run.kind === "running") return ", running";
  if (run.kind === "waiting") return ", waiting to run";
  return executionCount === null ? ", not run" : `, run ${executionCount}`;
}

function RunNote(props: { readonly run: CellRun }) {
  const ended = () => (props.run.kind === "ended" ? props.run : false);
  return (
    <Switch>
      <Match when={props.run.kind === "waiting"}>
        <p class="nb-run-note">Waiting</p>
      </Match>
      <Match when={props.run.kind === "running"}>
        <p class="nb-run-note nb-running" role="status">
          Running
        </p>
      </Match>
      <Match when={ended()}>
        {(run) => (
          <p class="nb-run-note" classList={{ "nb-failed": run().how !== "done" }}>
            {HOW[run().how]} {duration(run().milliseconds)}
          </p>
        )}
      </Match>
    </Switch>
  );
}

const HOW = { done: "", failed: "Failed after", stopped: "Stopped after" } as const;

function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

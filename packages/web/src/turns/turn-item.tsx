import type { TurnFileInfo, TurnInfo } from "@lockstep/workbench/contract";
import { createSignal, For, Show } from "solid-js";
import {
  Badge,
  Button,
  Icon,
  IconButton,
  Menu,
  type MenuItem,
  showProblem,
} from "../design/index.js";
import { call } from "../replica/link.js";
import { view } from "../replica/view.js";
import { showTurnFile } from "./shown-turn.js";
import { StaleNote } from "./stale-note.js";
import { decideTurn, makeAgain, takeBack } from "./turn-acts.js";
import { turnFiles } from "./turn-files.js";
import { files, KINDS, STATES, sharedWords, timeOf, titleOf } from "./turn-words.js";

/** Rows that are drawn at once. */
const MOST_SHOWN = 200;

/** One turn: who was asked and when, how much has changed, and its files. */
export function TurnItem(props: {
  readonly turn: TurnInfo;
  readonly now: number;
  readonly open: boolean;
}) {
  const [chosen, setChosen] = createSignal<boolean | null>(null);
  const [menu, setMenu] = createSignal<{ x: number; y: number } | null>(null);
  const open = () => chosen() ?? props.open;
  const { id } = props.turn;
  // A file of it says the same, and more.
  const isShown = () => {
    const shown = view();
    return shown.kind === "turn" && shown.turn === id;
  };
  return (
    <li class="turns-item" classList={{ "turns-running": props.turn.until === null }}>
      <div class="turns-row">
        <button
          type="button"
          class="turns-toggle"
          aria-expanded={open()}
          onClick={() => setChosen(!open())}
        >
          <Icon name={open() ? "chevron-down" : "chevron-right"} />
          <span class="turns-text">
            <span class="turns-title">{titleOf(props.turn)}</span>
            <span class="turns-about">
              <Show when={props.turn.until === null} fallback={timeOf(props.turn.since, props.now)}>
                <Badge tone="accent">now</Badge>
                <span>{timeOf(props.turn.since, props.now)}</span>
              </Show>
              <span>{files(props.turn.files + props.turn.cut)}</span>
              <Size added={props.turn.added} removed={props.turn.removed} />
            </span>
          </span>
        </button>
        <IconButton
          size="s"
          icon="more"
          label={`What to do with this turn: ${titleOf(props.turn)}, ${timeOf(props.turn.since, props.now)}`}
          aria-haspopup="menu"
          onClick={(event) => {
            const { left, bottom } = event.currentTarget.getBoundingClientRect();
            setMenu({ x: left, y: bottom });
          }}
        />
      </div>
      <Show when={open()}>
        <div class="turns-open">
          <div class="turns-acts">
            <Button size="s" onClick={() => void decideTurn({ turn: id, decision: "kept" })}>
              Keep all
            </Button>
            <Button size="s" onClick={() => void decideTurn({ turn: id, decision: "undone" })}>
              Undo all
            </Button>
            <Show when={props.turn.undo}>
              {(label) => (
                <Button
                  size="s"
                  kind="quiet"
                  data-tip={`Take back: ${label()}`}
                  onClick={() => void takeBack(id)}
                >
                  Take back
                </Button>
              )}
            </Show>
            <Show when={props.turn.redo}>
              {(label) => (
                <IconButton
                  size="s"
                  icon="redo"
                  label={`Again: ${label()}`}
                  onClick={() => void makeAgain(id)}
                />
              )}
            </Show>
          </div>
          <Show when={sharedWords(props.turn)}>
            {(words) => <p class="turns-note">{words()}</p>}
          </Show>
          <Show when={!isShown()}>
            <StaleNote turn={id} />
          </Show>
          <TurnFiles turn={props.turn} />
        </div>
      </Show>
      <Show when={menu()}>
        {(at) => (
          <Menu
            label={titleOf(props.turn)}
            at={at()}
            items={turnMenu(props.turn)}
            onClose={() => setMenu(null)}
          />
        )}
      </Show>
    </li>
  );
}

function TurnFiles(props: { readonly turn: TurnInfo }) {
  const all = turnFiles(() => props.turn.id);
  const [most, setMost] = createSignal(MOST_SHOWN);
  const ids = () => (all() ?? []).slice(0, most()).map(({ id }) => id);
  const byId = (id: string) => all()?.find((file) => file.id === id);
  return (
    <Show when={all()} fallback={<p class="turns-note">Looking…</p>}>
      <ul class="turns-files">
        <For each={ids()}>
          {(id) => (
            <Show when={byId(id)}>{(file) => <FileRow turn={props.turn.id} file={file()} />}</Show>
          )}
        </For>
      </ul>
      <Show when={(all()?.length ?? 0) > most()}>
        <Button size="s" kind="quiet" onClick={() => setMost(most() + MOST_SHOWN)}>
          Show more of {all()?.length}
        </Button>
      </Show>
      <Show when={props.turn.cut > 0}>
        <p class="turns-note">
          {files(props.turn.cut)} more have changed. So many are not shown one by one and cannot be
          undone here.
        </p>
      </Show>
    </Show>
  );
}

function FileRow(props: { readonly turn: string; readonly file: TurnFileInfo }) {
  const isCurrent = () => {
    const shown = view();
    return shown.kind === "turn" && shown.turn === props.turn && shown.file === props.file.id;
  };
  const kind = () => KINDS[props.file.kind];
  const hint = () =>
    props.file.from === null ? props.file.path : `${props.file.from} → ${props.file.path}`;
  return (
    <li>
      <button
        type="button"
        class="turns-file"
        classList={{
          "turns-file-undone": props.file.state === "undone",
          "turns-file-unseen": !props.file.seen,
        }}
        aria-current={isCurrent() ? "true" : undefined}
        data-tip={hint()}
        onClick={() => showTurnFile(props.turn, props.file)}
      >
        <span class={`turns-kind turns-kind-${props.file.kind}`} aria-hidden="true">
          {kind()[0]}
        </span>
        <span class="turns-name">
          <span class="turns-label">{props.file.label}</span>
          <span class="turns-place">{props.file.place}</span>
          <span class="unseen">, {kind()[1]}</span>
        </span>
        <Show when={props.file.conflict ?? props.file.lost}>
          {(why) => (
            <span class="turns-warn" data-tip={why()}>
              <Icon name="warning" />
              <span class="unseen">{why()}</span>
            </span>
          )}
        </Show>
        <Show
          when={STATES[props.file.state]}
          fallback={<Size added={props.file.added} removed={props.file.removed} />}
        >
          {(word) => <span class={`turns-state turns-state-${props.file.state}`}>{word()}</span>}
        </Show>
        <Show when={!props.file.seen}>
          <span class="turns-dot">
            <span class="unseen">not looked at</span>
          </span>
        </Show>
      </button>
    </li>
  );
}

function Size(props: { readonly added: number | null; readonly removed: number | null }) {
  return (
    <Show when={props.added !== null && (props.added > 0 || (props.removed ?? 0) > 0)}>
      <span class="turns-size">
        <span class="review-added">+{props.added}</span>{" "}
        <span class="review-removed">−{props.removed}</span>
      </span>
    </Show>
  );
}

function turnMenu({ id, until, undo, redo }: TurnInfo): readonly MenuItem[] {
  return [
    {
      label: "Keep all",
      icon: "check",
      run: () => void decideTurn({ turn: id, decision: "kept" }),
    },
    {
      label: "Undo all",
      icon: "undo",
      run: () => void decideTurn({ turn: id, decision: "undone" }),
    },
    { kind: "line" },
    {
      label: undo ? `Take back: ${undo}` : "Take back",
      disabled: !undo,
      run: () => void takeBack(id),
    },
    { label: redo ? `Again: ${redo}` : "Again", disabled: !redo, run: () => void makeAgain(id) },
    { kind: "line" },
    {
      label: "Forget this turn",
      icon: "trash",
      disabled: until === null,
      run: () => void call("turn.forget", { turn: id }).catch(showProblem),
    },
  ];
}

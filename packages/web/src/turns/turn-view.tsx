import type { TurnFileInfo, TurnFileView } from "@lockstep/workbench/contract";
import { createEffect, createSignal, onCleanup, onMount, Show } from "solid-js";
import { addCommands } from "../commands.js";
import {
  Badge,
  Banner,
  Button,
  EmptyState,
  Icon,
  IconButton,
  showProblem,
} from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { openFile } from "../replica/view.js";
import { keepFocus, mayTakeFocus } from "../review/keep-focus.js";
import { openPanes, type PaneSession } from "../review/panes/pane-session.js";
import { ChangeSteps, PaneChoices, PaneToolbar } from "../review/panes/pane-tools.js";
import { type Act, type Acts, handleReviewKey, KEYS, keysFor } from "../review/review-keys.js";
import { nameShownTurn } from "./shown-turn.js";
import { StaleNote } from "./stale-note.js";
import { decideTurn, makeAgain, takeBack } from "./turn-acts.js";
import { turnFiles } from "./turn-files.js";
import { titleOf } from "./turn-words.js";

/** A file of a turn in front of the person: what it was, what it became, and what to do about it. */
export function TurnView(props: { readonly turn: string; readonly file: string }) {
  const [opened, setOpened] = createSignal<TurnFileView | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);
  const { turn, file } = props;
  call("turn.attach", { turn, file }).then(
    (view) => {
      nameShownTurn(turn, view.info);
      setOpened(view);
    },
    (error: Error) => setProblem(error.message),
  );
  return (
    <Show
      when={opened()}
      fallback={
        <Show when={problem()}>
          {(why) => (
            <div class="review-ended">
              <EmptyState icon="history" title="Not in the history any more">
                {why()}
              </EmptyState>
            </div>
          )}
        </Show>
      }
    >
      {(view) => <OpenTurnFile turn={turn} first={view()} />}
    </Show>
  );
}

function OpenTurnFile(props: { readonly turn: string; readonly first: TurnFileView }) {
  const { turn } = props;
  const { id: file } = props.first.info;
  const all = turnFiles(() => turn);
  let latest = props.first.info;
  // One that is not in the list any more stays as it was last.
  const info = (): TurnFileInfo => {
    latest = all()?.find(({ id }) => id === file) ?? latest;
    return latest;
  };
  // What comes while it is on screen is seen.
  createEffect(() => {
    if (!info().seen) void call("turn.attach", { turn, file }).catch(() => {});
  });
  const isOpen = () => info().conflict === null && info().lost === null;
  const decide = (decision: "kept" | "undone", hunk?: number) =>
    decideTurn({ turn, file, decision, ...(hunk === undefined ? {} : { hunk }) });
  const panes = openPanes({
    ...{ id: `${turn}:${file}`, name: `turn:${turn}:${file}`, isOpen },
    attach: async () => {
      const { review } = await call("turn.attach", { turn, file });
      if (!review) throw new Error("This file has no text to show.");
      return review;
    },
    languageId: () => info().languageId,
    isOneSided: () => info().kind === "created" || info().kind === "deleted",
    purpose: () => "turn",
    decide: (hunk, decision) => decide(decision === "kept" ? "kept" : "undone", hunk),
  });
  const acts: Acts = {
    next: panes.next,
    previous: panes.previous,
    keep: () => (props.first.review ? panes.decideCurrent("kept") : decide("kept")),
    drop: () => (props.first.review ? panes.decideCurrent("dropped") : decide("undone")),
    undo: () => takeBack(turn),
    redo: () => makeAgain(turn),
  };
  let root: HTMLElement | undefined;
  let place: HTMLDivElement | undefined;
  onMount(() => {
    if (place) void panes.show(place);
    root?.addEventListener("keydown", (event) => handleReviewKey(event, acts), true);
    if (!root) return;
    keepFocus(root, () => {
      panes.hunks();
      info();
    });
    if (mayTakeFocus()) root.focus({ preventScroll: true });
  });
  onCleanup(
    addCommands(
      TITLES.map(([act, title]) => ({ ...command(act, title), run: () => void acts[act]?.() })),
    ),
  );
  return (
    <section
      class="review turn-view"
      aria-label={`What changed in ${info().label}`}
      tabindex="-1"
      data-region-focus
      ref={(element) => {
        root = element;
      }}
    >
      <header class="review-header">
        <div class="review-title">
          <Title turn={turn} info={info()} />
          <Answers info={info()} ready={!props.first.review || panes.settled()} decide={decide} />
        </div>
        <Show when={props.first.review}>
          <Tools turn={turn} panes={panes} />
        </Show>
      </header>
      <div class="review-banners">
        <Show when={info().conflict}>
          {(why) => (
            <Banner
              tone="warn"
              actions={
                <Button
                  size="s"
                  onClick={() => void openFile(info().uri, { preview: false }).catch(showProblem)}
                >
                  Show the file
                </Button>
              }
            >
              {why()}
            </Banner>
          )}
        </Show>
        <Show when={info().lost}>
          {(why) => <Banner tone="warn">This cannot be undone. {why()}</Banner>}
        </Show>
        <StaleNote turn={turn} uri={info().uri} path={info().path} />
      </div>
      <Show when={props.first.review} fallback={<Whole view={props.first} info={info()} />}>
        <Show when={panes.problem()}>
          {(problem) => (
            <p class="review-problem" role="alert">
              {problem()}
            </p>
          )}
        </Show>
        <div
          class="review-panes"
          aria-busy={!panes.loaded()}
          ref={(element) => {
            place = element;
          }}
        />
        <div class="unseen" aria-live="polite">
          {panes.announced()}
        </div>
      </Show>
    </section>
  );
}

function Title(props: { readonly turn: string; readonly info: TurnFileInfo }) {
  const turn = () => state().turns[props.turn];
  return (
    <div class="review-name">
      <Icon name="history" />
      <h2 class="review-file">{props.info.label}</h2>
      <Show when={props.info.place}>
        <span class="review-place">{props.info.place}</span>
      </Show>
      <Show when={BADGES[props.info.kind]}>
        {(badge) => <Badge tone={badge()[0]}>{badge()[1]}</Badge>}
      </Show>
      <Show when={props.info.mode}>
        {(mode) => (
          <Badge tone="neutral">
            {mode().before} → {mode().after}
          </Badge>
        )}
      </Show>
      <Show when={(props.info.added ?? 0) + (props.info.removed ?? 0) > 0}>
        <span class="review-size">
          <span class="review-added">
            <span class="unseen">Lines added: </span>+{props.info.added}
          </span>
          <span class="review-removed">
            <span class="unseen">Lines removed: </span>−{props.info.removed}
          </span>
        </span>
      </Show>
      <Show when={props.info.from}>{(from) => <span class="review-place">was {from()}</span>}</Show>
      <Show when={turn()}>{(now) => <span class="review-agent">{titleOf(now())}</span>}</Show>
    </div>
  );
}

const BADGES: Readonly<
  Partial<Record<TurnFileInfo["kind"], readonly ["good" | "bad" | "neutral", string]>>
> = {
  created: ["good", "Created"],
  deleted: ["bad", "Deleted"],
  renamed: ["neutral", "Renamed"],
  mode: ["neutral", "Permissions"],
};

function Answers(props: {
  readonly info: TurnFileInfo;
  /** It has been on screen for a moment. */
  readonly ready: boolean;
  readonly decide: (decision: "kept" | "undone") => Promise<void>;
}) {
  const undone = () => props.info.state === "undone";
  const stuck = () => !props.ready || props.info.conflict !== null || props.info.lost !== null;
  return (
    <div class="review-answers">
      <IconButton
        icon="external"
        label="Open the file"
        disabled={props.info.kind === "deleted" && !undone()}
        onClick={() => void openFile(props.info.uri, { preview: false }).catch(showProblem)}
      />
      <Show
        when={!undone()}
        fallback={
          <Button icon="redo" disabled={stuck()} onClick={() => void props.decide("kept")}>
            Bring back
          </Button>
        }
      >
        <Button
          icon="undo"
          disabled={stuck()}
          data-tip="Make the file what it was"
          onClick={() => void props.decide("undone")}
        >
          Undo file
        </Button>
        <Button
          kind="primary"
          icon="check"
          disabled={!props.ready || props.info.state !== "pending"}
          onClick={() => void props.decide("kept")}
        >
          {props.info.state === "pending" ? "Keep file" : "Kept"}
        </Button>
      </Show>
    </div>
  );
}

function Tools(props: { readonly turn: string; readonly panes: PaneSession }) {
  const turn = () => state().turns[props.turn];
  const undone = () => props.panes.hunks().filter(({ decision }) => decision === "dropped").length;
  return (
    <PaneToolbar>
      <ChangeSteps panes={props.panes} />
      <Show when={undone() > 0}>
        <span class="review-decided">{undone()} undone</span>
      </Show>
      <Show when={props.panes.hidden().size > 0}>
        <span class="review-decided">{props.panes.hidden().size} in whitespace only, hidden</span>
      </Show>
      <span class="review-divider" />
      <IconButton
        size="s"
        icon="undo"
        label={turn()?.undo ? `Take back: ${turn()?.undo}` : "Take back the last decision"}
        keys={keysFor("undo")}
        disabled={!turn()?.undo}
        onClick={() => void takeBack(props.turn)}
      />
      <IconButton
        size="s"
        icon="redo"
        label={turn()?.redo ? `Again: ${turn()?.redo}` : "Make it again"}
        keys={keysFor("redo")}
        disabled={!turn()?.redo}
        onClick={() => void makeAgain(props.turn)}
      />
      <PaneChoices panes={props.panes} />
    </PaneToolbar>
  );
}

/** What has no text: it is kept or undone as it is. */
function Whole(props: { readonly view: TurnFileView; readonly info: TurnFileInfo }) {
  return (
    <div class="review-ended">
      <EmptyState icon="file" title={WHOLE[props.info.content]}>
        <Show
          when={props.view.links}
          fallback={
            props.info.content === "unknown"
              ? "There is no copy of what it was, or of what it is."
              : "It is kept or undone as a whole: its changes cannot be shown line by line."
          }
        >
          {(links) => (
            <dl class="turns-links">
              <dt>Before</dt>
              <dd>{links().before ?? "no link"}</dd>
              <dt>Now</dt>
              <dd>{links().after ?? "no link"}</dd>
            </dl>
          )}
        </Show>
      </EmptyState>
    </div>
  );
}

const WHOLE: Readonly<Record<TurnFileInfo["content"], string>> = {
  text: "Only its name or its permissions have changed",
  binary: "Not a text",
  link: "A symbolic link",
  unknown: "Nothing to compare it with",
};

const TITLES: readonly (readonly [Act, string])[] = [
  ["next", "Turn: Next Change"],
  ["previous", "Turn: Previous Change"],
  ["keep", "Turn: Keep Change and Go On"],
  ["drop", "Turn: Undo Change and Go On"],
  ["undo", "Turn: Take Back the Last Decision"],
  ["redo", "Turn: Make the Decision Again"],
];

const command = (act: Act, title: string) => ({ id: `turn.${act}`, title, ownKeys: KEYS[act] });

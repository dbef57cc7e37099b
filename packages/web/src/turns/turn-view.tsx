import type { TurnFileInfo, TurnFileView } from "@lockstep/workbench/contract";
import { createEffect, createSignal, Show } from "solid-js";
import { Banner, Button, EmptyState, showProblem } from "../design/index.js";
import { call, tell } from "../replica/link.js";
import { openFile } from "../replica/view.js";
import { PaneArea } from "../review/panes/pane-area.js";
import { openPanes } from "../review/panes/pane-session.js";
import { ReviewFrame } from "../review/review-frame.js";
import type { Act, Acts } from "../review/review-keys.js";
import { nameShownTurn } from "./shown-turn.js";
import { StaleNote } from "./stale-note.js";
import { decideTurn, makeAgain, takeBack } from "./turn-acts.js";
import { turnFiles } from "./turn-files.js";
import { TurnHeader } from "./turn-header.js";

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
  // What comes while it is on screen is seen. Where that cannot be said, it shows as new a while longer.
  createEffect(() => {
    if (!info().seen) tell("turn.attach", { turn, file });
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
  return (
    <ReviewFrame
      class="turn-view"
      label={`What changed in ${info().label}`}
      acts={acts}
      kind="turn"
      titles={TITLES}
      watch={() => {
        panes.hunks();
        info();
      }}
    >
      <TurnHeader
        turn={turn}
        info={info()}
        panes={props.first.review ? panes : null}
        decide={decide}
      />
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
        <PaneArea panes={panes} />
      </Show>
    </ReviewFrame>
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

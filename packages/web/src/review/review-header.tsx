import { Show } from "solid-js";
import { Badge, Button, Icon, Progress, showToast } from "../design/index.js";
import { LineCounts } from "./line-counts.js";
import {
  ChangeSteps,
  DecisionSteps,
  HiddenChanges,
  PaneChoices,
  PaneToolbar,
} from "./panes/pane-tools.js";
import { keysFor } from "./review-keys.js";
import type { ReviewSession } from "./review-session.js";
import { acceptWords, decidedOf, sendsNothing, totalOf } from "./review-words.js";

/** What is proposed and by whom, and what can be done with it. */
export function ReviewHeader(props: { readonly session: ReviewSession }) {
  return (
    <header class="review-header">
      <div class="review-title">
        <Title session={props.session} />
        <Answers session={props.session} />
      </div>
      <Tools session={props.session} />
    </header>
  );
}

function Title(props: { readonly session: ReviewSession }) {
  const info = () => props.session.info();
  return (
    <div class="review-name">
      <Icon name="review" />
      <h2 class="review-file">{info().label}</h2>
      <Show when={info().place}>
        <span class="review-place">{info().place}</span>
      </Show>
      <Show when={info().newFile}>
        <Badge tone="good">New file</Badge>
      </Show>
      <Show when={info().kind === "orphaned"}>
        <Badge tone="warn">No longer awaited</Badge>
      </Show>
      <Show when={info().kind === "merge"}>
        <Badge tone="neutral">Merge</Badge>
      </Show>
      <Show when={info().tally}>
        {(tally) => <LineCounts added={tally().added} removed={tally().removed} />}
      </Show>
      <Show when={info().kind !== "merge"}>
        <span class="review-agent">
          <Icon name="agent" />
          {info().agent.name}
        </span>
      </Show>
    </div>
  );
}

function Answers(props: { readonly session: ReviewSession }) {
  const { session } = props;
  const conflicts = () => session.info().tally?.conflicts ?? 0;
  const copy = async () => {
    await navigator.clipboard.writeText(session.text());
    showToast({ text: "The draft is on the clipboard." });
  };
  return (
    <div class="review-answers">
      <Show
        when={session.isOpen()}
        fallback={
          <>
            <Button icon="copy" disabled={!session.loaded()} onClick={() => void copy()}>
              Copy the draft
            </Button>
            <Button onClick={() => void session.dismiss()}>Dismiss</Button>
          </>
        }
      >
        <Show
          when={session.info().kind === "waiting"}
          fallback={<Button onClick={() => void session.dismiss()}>Dismiss</Button>}
        >
          <Button
            kind="danger"
            disabled={!session.settled()}
            aria-expanded={session.rejecting()}
            data-tip="Reject, with a reason if you like"
            data-tip-keys={keysFor("reject")}
            onClick={() => session.setRejecting(!session.rejecting())}
          >
            Reject…
          </Button>
        </Show>
        <Button
          kind="primary"
          icon={sendsNothing(session.info()) ? "cross" : "check"}
          disabled={!session.settled() || conflicts() > 0}
          data-tip={conflicts() > 0 ? "Decide the conflicts first" : "Send this to the agent"}
          data-tip-keys={keysFor("accept")}
          onClick={() => void session.accept()}
        >
          {acceptWords(session.info())}
        </Button>
      </Show>
    </div>
  );
}

function Tools(props: { readonly session: ReviewSession }) {
  const { session } = props;
  return (
    <PaneToolbar>
      <Show
        when={session.info().tally}
        fallback={
          <div class="review-comparing">
            <span>Comparing the texts…</span>
            <Progress value={session.info().progress} label="Comparing the texts" />
          </div>
        }
      >
        {(tally) => (
          <>
            <ChangeSteps panes={session.panes} />
            <span class="review-decided">
              {decidedOf(tally())} of {totalOf(tally())} decided
            </span>
            <HiddenChanges panes={session.panes} />
            <Show when={session.isOpen()}>
              <DecisionSteps
                undo={{ label: "Undo", possible: session.info().canUndo, run: session.undo }}
                redo={{ label: "Redo", possible: session.info().canRedo, run: session.redo }}
              />
              <Button
                kind="quiet"
                size="s"
                disabled={!session.settled() || tally().pending === 0}
                onClick={() => void session.decideRest("kept")}
              >
                Keep rest
              </Button>
              <Button
                kind="quiet"
                size="s"
                disabled={!session.settled() || tally().pending === 0}
                onClick={() => void session.decideRest("dropped")}
              >
                Drop rest
              </Button>
            </Show>
          </>
        )}
      </Show>
      <PaneChoices panes={session.panes} />
    </PaneToolbar>
  );
}

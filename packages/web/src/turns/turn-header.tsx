import type { TurnFileInfo } from "@lockstep/workbench/contract";
import { Show } from "solid-js";
import { Badge, Button, Icon, IconButton, showProblem } from "../design/index.js";
import { state } from "../replica/state.js";
import { openFile } from "../replica/view.js";
import { LineCounts } from "../review/line-counts.js";
import type { PaneSession } from "../review/panes/pane-session.js";
import {
  ChangeSteps,
  DecisionSteps,
  HiddenChanges,
  PaneChoices,
  PaneToolbar,
} from "../review/panes/pane-tools.js";
import { makeAgain, takeBack } from "./turn-acts.js";
import { titleOf } from "./turn-words.js";

/** Which file of which turn it is, and what can be done about its changes. */
export function TurnHeader(props: {
  readonly turn: string;
  readonly info: TurnFileInfo;
  /** Null for a file without a text. */
  readonly panes: PaneSession | null;
  readonly decide: (decision: "kept" | "undone") => Promise<void>;
}) {
  return (
    <header class="review-header">
      <div class="review-title">
        <Title turn={props.turn} info={props.info} />
        <Answers info={props.info} ready={props.panes?.settled() ?? true} decide={props.decide} />
      </div>
      <Show when={props.panes}>{(panes) => <Tools turn={props.turn} panes={panes()} />}</Show>
    </header>
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
        <LineCounts added={props.info.added ?? 0} removed={props.info.removed ?? 0} />
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
      <HiddenChanges panes={props.panes} />
      <DecisionSteps
        undo={{
          label: turn()?.undo ? `Take back: ${turn()?.undo}` : "Take back the last decision",
          possible: Boolean(turn()?.undo),
          run: () => takeBack(props.turn),
        }}
        redo={{
          label: turn()?.redo ? `Again: ${turn()?.redo}` : "Make it again",
          possible: Boolean(turn()?.redo),
          run: () => makeAgain(props.turn),
        }}
      />
      <PaneChoices panes={props.panes} />
    </PaneToolbar>
  );
}

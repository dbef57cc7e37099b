import type { ProposalInfo } from "@lockstep/workbench/contract";
import { createSignal, For, onCleanup, Show } from "solid-js";
import { Badge, EmptyState, Icon, SidebarHead } from "../design/index.js";
import { state } from "../replica/state.js";
import { setView, view } from "../replica/view.js";
import { ageOf, decidedOf, inQueueOrder, totalOf } from "./review-words.js";

/** Ages are shown by the minute. */
const TICK_MS = 20_000;

/** All proposals, across files: those that an agent waits for first. */
export function ReviewQueue() {
  const [now, setNow] = createSignal(Date.now());
  const timer = setInterval(() => setNow(Date.now()), TICK_MS);
  onCleanup(() => clearInterval(timer));
  const ids = () => inQueueOrder(Object.values(state().proposals)).map(({ id }) => id);
  const waiting = () => Object.values(state().proposals).filter(({ kind }) => kind === "waiting");
  return (
    <div class="review-queue">
      <SidebarHead title="Review">
        <Show when={waiting().length > 0}>
          <Badge tone="accent">{waiting().length} waiting</Badge>
        </Show>
      </SidebarHead>
      <Show
        when={ids().length > 0}
        fallback={
          <EmptyState icon="review" title="Nothing to review">
            When an agent wants to change a file, its proposal waits here. You keep or drop each
            change, edit the text, and only then the agent writes the file.
          </EmptyState>
        }
      >
        <ul class="review-queue-list">
          <For each={ids()}>
            {(id) => (
              <Show when={state().proposals[id]}>
                {(info) => <QueueItem info={info()} now={now()} />}
              </Show>
            )}
          </For>
        </ul>
      </Show>
    </div>
  );
}

function QueueItem(props: { readonly info: ProposalInfo; readonly now: number }) {
  const isCurrent = () => {
    const shown = view();
    return shown.kind === "review" && shown.id === props.info.id;
  };
  return (
    <li>
      <button
        type="button"
        class="review-item"
        aria-current={isCurrent() ? "true" : undefined}
        onClick={() => setView({ kind: "review", id: props.info.id })}
      >
        <Icon
          name={ICONS[props.info.kind]}
          class={`review-item-icon review-item-${props.info.kind}`}
        />
        <span class="review-item-text">
          <span class="review-item-name">
            <span class="review-item-label">{props.info.label}</span>
            <span class="review-item-place">{props.info.place}</span>
          </span>
          <span class="review-item-about">
            <Show when={props.info.kind === "waiting"} fallback={<b>{WORDS[props.info.kind]}</b>}>
              {props.info.agent.name}
            </Show>
            <span>{ageOf(props.info.since, props.now)}</span>
            <Show when={props.info.outside}>
              <b class="review-item-outside">outside</b>
            </Show>
            <Show when={props.info.newFile}>
              <span>new file</span>
            </Show>
            <Show when={props.info.kind !== "orphaned" && props.info.tally?.conflicts}>
              <b class="review-item-conflicts">
                {props.info.tally?.conflicts === 1
                  ? "1 conflict"
                  : `${props.info.tally?.conflicts} conflicts`}
              </b>
            </Show>
          </span>
        </span>
        <Show when={props.info.tally} fallback={<span class="review-item-size">…</span>}>
          {(tally) => (
            <span class="review-item-size">
              <span>
                <span class="review-added">+{tally().added}</span>{" "}
                <span class="review-removed">−{tally().removed}</span>
              </span>
              <span>
                {decidedOf(tally())}/{totalOf(tally())}
                <span class="unseen"> decided</span>
              </span>
            </span>
          )}
        </Show>
      </button>
    </li>
  );
}

const ICONS = { waiting: "review", merge: "branch", orphaned: "unlink" } as const;
const WORDS = { waiting: "", merge: "Your own edits", orphaned: "No longer awaited" } as const;

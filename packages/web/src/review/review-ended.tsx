import { Show } from "solid-js";
import { Button, EmptyState } from "../design/index.js";
import { state } from "../replica/state.js";
import { setView } from "../replica/view.js";
import { type Answer, answerTo, wordsFor } from "./answers.js";
import { inQueueOrder } from "./review-words.js";

/** What stands in place of a review that is over: how it ended, and what comes next. */
export function ReviewEnded(props: { readonly id: string }) {
  const answer = () => answerTo(props.id);
  const next = () =>
    inQueueOrder(Object.values(state().proposals)).find(({ kind }) => kind !== "orphaned");
  return (
    <div class="review-ended">
      <EmptyState
        icon={answer()?.kind === "rejected" ? "cross" : "check"}
        title={titleOf(answer())}
        actions={
          <>
            <Show when={answer()?.delivery === "copy" && answer()?.reason}>
              {(reason) => (
                <Button icon="copy" onClick={() => void navigator.clipboard.writeText(reason())}>
                  Copy the reason
                </Button>
              )}
            </Show>
            <Show when={next()}>
              {(proposal) => (
                <Button
                  kind="primary"
                  ref={(button) =>
                    queueMicrotask(() => document.activeElement === document.body && button.focus())
                  }
                  onClick={() => setView({ kind: "review", id: proposal().id })}
                >
                  Next: {proposal().label}
                </Button>
              )}
            </Show>
          </>
        }
      >
        {wordsOf(answer())}
        <Show when={answer()?.delivery === "copy" && answer()?.reason}>
          {(reason) => <blockquote class="review-reason">{reason()}</blockquote>}
        </Show>
      </EmptyState>
    </div>
  );
}

function titleOf(answer: Answer | undefined): string {
  if (!answer) return "This proposal is not open any more";
  const words = {
    accepted: "Accepted",
    rejected: "Rejected",
    merged: "Merged",
    dismissed: "Dismissed",
  };
  return `${words[answer.kind]}: ${answer.label}`;
}

function wordsOf(answer: Answer | undefined): string {
  return answer ? wordsFor(answer) : "It was answered elsewhere, or the agent took it back.";
}

import { For, Show } from "solid-js";
import { Banner, Button, showProblem } from "../design/index.js";
import { openFile } from "../replica/view.js";
import type { ReviewSession } from "./review-session.js";

/** Conflicts that get a button of their own; the others are reached through the changes. */
const MOST_LISTED = 6;

/** What the person should know before answering. */
export function ReviewBanners(props: { readonly session: ReviewSession }) {
  const { session } = props;
  const info = () => session.info();
  const open = () => session.isOpen();
  const conflicts = () => session.hunks().filter(({ conflict }) => conflict);
  const show = () => void openFile(info().uri, { preview: false }).catch(showProblem);
  return (
    <div class="review-banners">
      <Show when={!open()}>
        <Banner tone="warn">
          Nobody waits for this any more: {info().agent.name} left, or Lockstep was restarted.
          Answer in the agent's terminal; your draft can be copied.
        </Banner>
      </Show>
      <Show when={info().outside}>
        <Banner tone="warn">This file is outside of the workspace: {info().place}.</Banner>
      </Show>
      <Show when={open() && info().dirty && info().kind === "waiting"}>
        <Banner
          tone="warn"
          actions={
            <Button size="s" onClick={show}>
              Show the file
            </Button>
          }
        >
          You have unsaved edits in this file. The proposal is made against the file on the disk.
        </Banner>
      </Show>
      <Show when={info().kind === "merge" && open()}>
        <Banner tone="info">
          The file changed while you had unsaved edits. Left is the file as it is now; the changes
          are yours. Nothing is saved by merging.
        </Banner>
      </Show>
      <Show when={info().moved && open() && info().kind === "waiting" && conflicts().length === 0}>
        <Banner tone="info">
          The file has changed since this was proposed. The proposal now stands on the file as it
          is.
        </Banner>
      </Show>
      <Show when={open() && conflicts().length > 0}>
        <Banner
          tone="warn"
          actions={
            <For each={conflicts().slice(0, MOST_LISTED)}>
              {({ id, from }) => (
                <Button size="s" onClick={() => session.goTo(id)}>
                  Line {from + 1}
                </Button>
              )}
            </For>
          }
        >
          The file has changed where {conflicts().length === 1 ? "a change" : "changes"} would
          change it too. Decide{" "}
          {conflicts().length === 1 ? "it" : `each of the ${conflicts().length}`} before you accept.
        </Banner>
      </Show>
    </div>
  );
}

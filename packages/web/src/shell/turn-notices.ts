import { createEffect, on } from "solid-js";
import { runCommand } from "../commands.js";
import { showToast } from "../design/index.js";
import { replica, state } from "../replica/state.js";
import { runningOf } from "../turns/turn-words.js";
import { sidebar, sidebarOpen } from "./layout.js";

/** Files of the running turn that nobody has looked at. */
export const unseenFiles = (): number => runningOf(replica()?.turns ?? {})?.unseen ?? 0;

const isLooking = (): boolean => sidebarOpen() && sidebar() === "turns";

/** Once an agent seems to be done, what has changed is told, calmly: nothing else moves. */
export function watchTurns(): void {
  let told: string | null = null;
  let known = false;
  createEffect(
    on(
      () => {
        const turn = runningOf(replica()?.turns ?? {});
        return turn?.quiet && turn.agent !== null && turn.unseen > 0 ? turn.id : null;
      },
      (id) => {
        // What was so when the page was opened is no news.
        const isNews = known && id !== null && id !== told;
        known ||= replica() !== null;
        told = id ?? told;
        if (!isNews || isLooking() || !state().settings.now.turnNotices) return;
        const turn = state().turns[id];
        if (!turn) return;
        const count = turn.files + turn.cut;
        showToast({
          text: `${count === 1 ? "1 file has" : `${count} files have`} changed since the prompt to ${turn.agent}.`,
          icon: "history",
          action: {
            label: count === 1 ? "Look at it" : "Look at them",
            run: () => runCommand("view.turns"),
          },
          over: () => isLooking() || (runningOf(state().turns)?.id ?? id) !== id,
        });
      },
    ),
  );
}

import { createSignal, For, onCleanup, Show } from "solid-js";
import { Badge, EmptyState, SidebarHead } from "../design/index.js";
import { state } from "../replica/state.js";
import { view } from "../replica/view.js";
import { TurnItem } from "./turn-item.js";
import { inOrder, runningOf } from "./turn-words.js";

/** Times are shown by the minute. */
const TICK_MS = 20_000;

/** The turns, the running one first: what changed in each, to be kept or undone. */
export function TurnsPanel() {
  const [now, setNow] = createSignal(Date.now());
  const timer = setInterval(() => setNow(Date.now()), TICK_MS);
  onCleanup(() => clearInterval(timer));
  const running = () => runningOf(state().turns);
  const ids = () =>
    inOrder(Object.values(state().turns))
      .filter((turn) => turn.until !== null || turn.files + turn.cut > 0)
      .map(({ id }) => id);
  const isOpen = (id: string) => {
    const shown = view();
    return id === ids()[0] || (shown.kind === "turn" && shown.turn === id);
  };
  return (
    <div class="turns">
      <SidebarHead title="Turns">
        <Show when={(running()?.unseen ?? 0) > 0}>
          <Badge tone="accent">{running()?.unseen} new</Badge>
        </Show>
      </SidebarHead>
      <Show
        when={ids().length > 0}
        fallback={
          <EmptyState
            icon="history"
            title={running() ? "Nothing has changed" : "Looking at the files…"}
          >
            A turn is what changes on the disk after you send an agent a prompt. It is shown here as
            it happens, file by file, and you keep or undo each change.
          </EmptyState>
        }
      >
        <ul class="turns-list">
          <For each={ids()}>
            {(id) => (
              <Show when={state().turns[id]}>
                {(turn) => <TurnItem turn={turn()} now={now()} open={isOpen(id)} />}
              </Show>
            )}
          </For>
        </ul>
      </Show>
    </div>
  );
}

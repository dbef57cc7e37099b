import type { Question } from "@lockstep/workbench/contract";
import { createSignal, onCleanup, onMount, Show } from "solid-js";
import { Button, Dialog, showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";

/** A key or click this soon after a question appeared was meant for something else. */
const SETTLE_MS = 400;

/** The first of the agents' questions; the others wait behind it. */
export function QuestionDialog() {
  const first = () => Object.keys(state().questions)[0];
  return (
    <Show when={first()} keyed>
      {(id) => <Asked id={id} />}
    </Show>
  );
}

function Asked(props: { readonly id: string }) {
  const since = performance.now();
  // It stays as it was asked, also in the moment in which it is taken away.
  const { title, detail, agent } = state().questions[props.id] as Question;
  let body: HTMLDivElement | undefined;
  const [settled, setSettled] = createSignal(false);
  const settling = setTimeout(() => setSettled(true), SETTLE_MS);
  onCleanup(() => clearTimeout(settling));
  const isTooSoon = () => performance.now() - since < SETTLE_MS;
  const answer = (yes: boolean) => {
    if (isTooSoon()) return;
    void call("question.answer", { id: props.id, yes }).catch(showProblem);
  };
  onMount(() => {
    const dialog = body?.closest("dialog");
    const guard = (event: Event) => {
      const held = event instanceof KeyboardEvent && event.repeat;
      if (!isTooSoon() && !held) return;
      event.preventDefault();
      event.stopPropagation();
    };
    for (const kind of ["keydown", "keyup", "click", "pointerdown", "cancel"] as const) {
      dialog?.addEventListener(kind, guard, { capture: true });
    }
  });
  return (
    <Dialog
      title={title}
      onClose={() => answer(false)}
      actions={
        <>
          <Button disabled={!settled()} onClick={() => answer(true)}>
            Allow
          </Button>
          <Button kind="primary" autofocus onClick={() => answer(false)}>
            Don’t allow
          </Button>
        </>
      }
    >
      <div class="agents-question" ref={body}>
        <p>
          <strong>{agent}</strong> asks for this.
        </p>
        <Show when={detail}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may be longer than its place, and scrolls by keys */}
          <pre class="agents-question-detail" tabIndex={0}>
            {detail}
          </pre>
        </Show>
      </div>
    </Dialog>
  );
}

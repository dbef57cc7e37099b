import { createEffect, createSignal, on } from "solid-js";
import { showToast } from "../design/index.js";
import { replica, state } from "../replica/state.js";
import { setView, view } from "../replica/view.js";
import { waitingProposals } from "./waiting.js";

const [announced, setAnnounced] = createSignal("");

/** Shows the proposal that waits longest, or the next one after the one that is shown. */
export function showNextProposal(): void {
  const all = waitingProposals();
  const now = view();
  const at = now.kind === "review" ? all.findIndex(({ id }) => id === now.id) : -1;
  const next = all[(at + 1) % all.length];
  if (next) setView({ kind: "review", id: next.id });
}

/** A proposal that comes takes neither the focus nor the view: it is told of, and waits. */
export function watchArrivals(): void {
  let known: ReadonlySet<string> | null = null;
  let told: { readonly id: string; readonly dismiss: () => void } | null = null;
  createEffect(
    on(waitingProposals, (all) => {
      if (!replica()) return;
      const [first] = known === null ? [] : all.filter(({ id }) => !known?.has(id));
      known = new Set(all.map(({ id }) => id));
      if (told && !known.has(told.id)) told.dismiss();
      if (!first) return;
      const { id, label, agent } = first;
      const text =
        all.length === 1
          ? `${agent.name} proposes changes to ${label}`
          : `${all.length} proposals wait, the latest for ${label}`;
      setAnnounced(text);
      // Instead of the last one: a pile of them would cover what the person works on.
      told?.dismiss();
      const dismiss = showToast({
        text,
        icon: "review",
        action: { label: "Review", run: () => setView({ kind: "review", id }) },
      });
      told = { id, dismiss };
    }),
  );
  // Whoever looks at one of them knows: the queue says how many there are.
  createEffect(() => {
    if (view().kind === "review") told?.dismiss();
  });
  createEffect(() => {
    const count = waitingProposals().length;
    const name = replica() ? state().workspace.name : "";
    const title = name ? `${name} — Lockstep` : "Lockstep";
    document.title = count > 0 ? `(${count}) ● ${title}` : title;
  });
}

/** For screen readers; mounted once. */
export function Announcer() {
  return (
    <div class="unseen" role="status" aria-live="polite">
      {announced()}
    </div>
  );
}

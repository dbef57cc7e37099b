import type { Patch, State } from "@lockstep/workbench/contract";
import { batch } from "solid-js";
import { createStore, produce, reconcile } from "solid-js/store";
import { call, on, onLink } from "./link.js";
import { setView } from "./view.js";
import { windowName } from "./window-name.js";

const [current, setCurrent] = createStore<{ state: State | null }>({ state: null });
/** The number of the last patch that is in the copy; null until there is one to be patched. */
let sequence: number | null = null;
/** Patches that overtook the snapshot they belong to. */
const early: Patch[] = [];
let welcomed = false;

/** The workbench's state; null until the first answer of the workbench. */
export const replica = (): State | null => current.state;

/** For what is shown only when there is a state. */
export function state(): State {
  if (!current.state) throw new Error("There is no state yet");
  return current.state;
}

onLink(copy);

on("state.patch", (patch) => {
  if (sequence === null) early.push(patch);
  else take(patch);
});

/** Gets the whole state, and then what has changed since. */
async function copy(): Promise<void> {
  sequence = null;
  // Those of a link that was lost count in another order.
  early.length = 0;
  const welcome = await call("window.hello", { window: windowName });
  sequence = welcome.sequence;
  batch(() => {
    setCurrent("state", reconcile(welcome.state));
    if (!welcomed) setView(welcome.view);
  });
  welcomed = true;
  for (const patch of early.splice(0)) take(patch);
}

function take(patch: Patch): void {
  if (sequence === null) early.push(patch);
  // Those that were on the way before the snapshot are in it.
  else if (patch.sequence === sequence + 1) {
    sequence = patch.sequence;
    apply(patch);
  } else if (patch.sequence > sequence) void copy().catch(() => {});
}

function apply(patch: Patch): void {
  if (patch.kind === "slice") {
    setCurrent("state", patch.slice as never, reconcile(patch.value as never) as never);
    return;
  }
  const { collection, key, value } = patch;
  setCurrent(
    "state",
    produce((draft: Record<string, Record<string, unknown>>) => {
      const entries = draft[collection];
      if (!entries) return;
      if (value === null) delete entries[key];
      else entries[key] = value;
    }) as never,
  );
}

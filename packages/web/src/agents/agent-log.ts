import type { LogEntry } from "@lockstep/workbench/contract";
import { type Accessor, createEffect, createSignal, on, onCleanup } from "solid-js";
import { call, linkStatus, on as onEvent } from "../replica/link.js";

/** The log of the chosen agent, kept up to date while somebody looks at it. The newest last. */
export function followLog(agent: Accessor<string | undefined>): Accessor<readonly LogEntry[]> {
  const [entries, setEntries] = createSignal<readonly LogEntry[]>([]);
  let asking = false;
  let again = false;

  const load = async () => {
    const id = agent();
    if (id === undefined) return;
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    const known = entries();
    const after = lastSettled(known);
    const found = await call("agent.log", { agent: id, after }).catch(() => null);
    asking = false;
    if (found && id === agent()) {
      setEntries([...known.filter(({ number }) => number <= after), ...found]);
    }
    if (again || id !== agent()) {
      again = false;
      void load();
    }
  };
  createEffect(
    on([agent, linkStatus], () => {
      setEntries([]);
      void load();
    }),
  );
  onCleanup(onEvent("agent.logged", (event) => void (event.agent === agent() && load())));
  return entries;
}

/** The number up to which nothing changes any more: a call that waits will still get its outcome. */
function lastSettled(entries: readonly LogEntry[]): number {
  const waiting = entries.find(({ outcome }) => outcome === "waiting");
  return waiting ? waiting.number - 1 : (entries.at(-1)?.number ?? 0);
}

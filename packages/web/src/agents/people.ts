import type { AgentInfo, TerminalInfo } from "@lockstep/workbench/contract";
import { createSignal } from "solid-js";
import { replica } from "../replica/state.js";

/** Those that are connected first, then the latest that left. */
export function allAgents(): readonly AgentInfo[] {
  const all = Object.values(replica()?.agents ?? {});
  return all.sort((a, b) => (b.left ?? Infinity) - (a.left ?? Infinity) || a.since - b.since);
}

export const connectedAgents = (): readonly AgentInfo[] =>
  allAgents().filter(({ left }) => left === null);

/** The terminal that an agent runs in, if it is one of ours. */
export const terminalOfAgent = (id: string): TerminalInfo | undefined =>
  Object.values(replica()?.terminals ?? {}).find(({ agent }) => agent === id);

const [now, setNow] = createSignal(Date.now());
setInterval(() => setNow(Date.now()), 15_000);

/** "just now", "3 min", "2 h": how long ago a time was, to be read at a glance. */
export function ago(time: number): string {
  const minutes = Math.floor((Math.max(now(), time) - time) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

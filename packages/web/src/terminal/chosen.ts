import type { TerminalInfo } from "@lockstep/workbench/contract";
import { createSignal } from "solid-js";
import { showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { replica } from "../replica/state.js";
import { setTerminalVisible } from "./visibility.js";

/** Until the screen is there and knows its own size. */
const FIRST_SIZE = { columns: 80, rows: 24 };

const [wanted, setWanted] = createSignal<string | null>(null);
const [focusCount, setFocusCount] = createSignal(0);

/** All terminals, the oldest first. */
export const allTerminals = (): readonly TerminalInfo[] =>
  Object.values(replica()?.terminals ?? {});

export const terminalById = (id: string): TerminalInfo | undefined => replica()?.terminals[id];

/** The terminal that this window shows: the one that was asked for, else the latest. */
export function chosenTerminal(): TerminalInfo | null {
  const all = allTerminals();
  return all.find(({ id }) => id === wanted()) ?? all.at(-1) ?? null;
}

export const chooseTerminal = (id: string): void => void setWanted(id);

/** Counts up whenever the focus should go to the terminal that is shown. */
export const focusRequests = focusCount;
export const focusTerminal = (): void => void setFocusCount((count) => count + 1);

/** Opens a terminal and goes there; with "claude" Claude Code runs in it. */
export async function openTerminal(kind: TerminalInfo["kind"]): Promise<void> {
  setTerminalVisible(true);
  try {
    const { id } = await call("terminal.open", { kind, ...FIRST_SIZE });
    setWanted(id);
    focusTerminal();
  } catch (problem) {
    showProblem(problem);
  }
}

import type { TurnFileInfo, TurnInfo } from "@lockstep/workbench/contract";

/** What turns and their files are called, in words. */

export const files = (count: number): string => (count === 1 ? "1 file" : `${count} files`);

/** The running one last among those that began at one moment; the latest first. */
export function inOrder(turns: readonly TurnInfo[]): readonly TurnInfo[] {
  return [...turns].sort((a, b) => b.since - a.since);
}

export function runningOf(turns: Readonly<Record<string, TurnInfo>>): TurnInfo | undefined {
  return inOrder(Object.values(turns)).find(({ until }) => until === null);
}

export function titleOf({ agent }: TurnInfo): string {
  return agent === null ? "Since Lockstep started" : `Prompt to ${agent}`;
}

/** Who may have changed something, where it is not only the one who was asked. */
export function sharedWords({ others }: TurnInfo): string | null {
  if (others.length === 0) return null;
  const names = others.join(", ");
  return `${names} ${others.length === 1 ? "was" : "were"} connected as well: the changes may be by any of them.`;
}

/** "14:03", or with its day where that is another one. */
export function timeOf(at: number, now: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false });
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${date.toLocaleDateString("en", { month: "short", day: "numeric" })}, ${time}`;
}

export const KINDS: Readonly<Record<TurnFileInfo["kind"], readonly [sign: string, word: string]>> =
  {
    edited: ["M", "edited"],
    created: ["A", "created"],
    deleted: ["D", "deleted"],
    renamed: ["R", "renamed"],
    mode: ["P", "permissions changed"],
  };

export const STATES: Readonly<Record<TurnFileInfo["state"], string>> = {
  pending: "",
  kept: "kept",
  undone: "undone",
  mixed: "decided",
};

/** What to tell the agent, so that it does not go on from what it remembers. */
export function staleSentence(paths: readonly string[]): string {
  const named = paths.slice(0, 5).join(", ");
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : "";
  return `I undid some of your changes in ${named}${more}: read ${paths.length === 1 ? "it" : "them"} again before you edit ${paths.length === 1 ? "it" : "them"}.`;
}

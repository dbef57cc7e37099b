import type { HunkInfo, ReviewSnapshot } from "@lockstep/workbench/contract";
import { type HunkText, hunkText } from "./hunk-text.js";
import type { Terminal } from "./terminal.js";

export function readHunk({ base, shown, hunks }: ReviewSnapshot, hunk: HunkInfo): HunkText {
  return hunkText(hunk, hunks ?? [], base.split("\n"), shown.text.split("\n"));
}

/** As a patch shows it, with what was decided. */
export function printHunk(terminal: Terminal, snapshot: ReviewSnapshot, hunk: HunkInfo): void {
  const { say, quote, paint } = terminal;
  const { at, before, removed, added, after } = readHunk(snapshot, hunk);
  const state = hunk.decision === "pending" ? "" : `  ${hunk.decision}`;
  say(paint.faint(`@@ -${at.base},${removed.length} +${at.shown},${added.length} @@${state}`));
  for (const line of before) say(` ${quote(line)}`);
  for (const line of removed) say(paint.red(`-${quote(line)}`));
  for (const line of added) say(paint.green(`+${quote(line)}`));
  for (const line of after) say(` ${quote(line)}`);
  if (hunk.conflict)
    say(paint.yellow("The file has changed here since then: keep the change or drop it."));
}

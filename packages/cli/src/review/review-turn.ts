import type { PageClient } from "@lockstep/workbench";
import type { State, TurnFileInfo, TurnFileView, TurnInfo } from "@lockstep/workbench/contract";
import { printHunk } from "./print-hunk.js";
import type { Terminal } from "./terminal.js";

const KEYS =
  "k keep · d undo it in the file · u take the last back · n next · b back · f next file · q quit";

/** The newest turn in which something has changed. */
export function lastTurn({ turns }: State): TurnInfo | null {
  const changed = Object.values(turns).filter(({ files }) => files > 0);
  return changed.sort((a, b) => b.since - a.since)[0] ?? null;
}

/** Takes a person through what has changed in a turn. What is undone is undone in the file at once. */
export async function reviewTurn(
  page: PageClient,
  terminal: Terminal,
  turn: TurnInfo,
): Promise<void> {
  const { say, quote, paint } = terminal;
  const files = await page.call("turn.files", { turn: turn.id });
  const who = turn.agent === null ? "" : ` by or beside ${turn.agent}`;
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  say(paint.bold(quote(`${count} changed since ${new Date(turn.since).toLocaleString()}${who}`)));
  for (const { id } of files) {
    if ((await reviewFile(page, terminal, turn.id, id)) === "quit") return;
  }
  while ((await terminal.ask("That was all. Enter to end, u to take the last back")) === "u")
    await takeBack(page, terminal, turn.id);
}

/** Says what was taken back: it may have been decided in another file. */
async function takeBack(page: PageClient, { say, quote, paint }: Terminal, turn: string) {
  const last = page.state.turns[turn]?.undo ?? null;
  if (last === null) return say("There is nothing to take back.");
  const { refused } = await page.call("turn.undo", { turn });
  for (const reason of refused) say(paint.yellow(quote(reason)));
  if (refused.length === 0) say(quote(`Taken back: ${last}`));
}

async function reviewFile(
  page: PageClient,
  terminal: Terminal,
  turn: string,
  file: string,
): Promise<"next" | "quit"> {
  const { say, quote, paint } = terminal;
  let at = 0;
  let view = await page.call("turn.attach", { turn, file });
  say("");
  say(paint.bold(quote(titleOf(view.info))));
  for (;;) {
    const trouble = view.info.lost ?? view.info.conflict;
    if (trouble !== null) say(paint.yellow(quote(trouble)));
    const hunks = view.review?.hunks ?? [];
    const hunk = hunks[at];
    if (view.review && hunk) printHunk(terminal, view.review, hunk);
    // A file without hunks is one thing, kept or undone as a whole.
    if (at >= Math.max(hunks.length, 1)) return "next";
    const answer = await terminal.ask(`[${at + 1}/${Math.max(hunks.length, 1)}] k d u n b f q ?`);
    if (answer === null || answer === "q") return "quit";
    if (answer === "f") return "next";
    const part = { turn, file, ...(hunk ? { hunk: hunk.id } : {}) };
    at = await obey(page, terminal, part, answer, at);
    view = await renewed(page, turn, file, view);
  }
}

/** Answers where to go on. */
async function obey(
  page: PageClient,
  terminal: Terminal,
  part: { readonly turn: string; readonly file: string; readonly hunk?: number },
  answer: string,
  at: number,
): Promise<number> {
  const { say, quote, paint } = terminal;
  const tell = ({ refused }: { readonly refused: readonly string[] }) => {
    for (const reason of refused) say(paint.yellow(quote(reason)));
    return refused.length === 0;
  };
  switch (answer) {
    case "k":
    case "d": {
      const decision = answer === "k" ? "kept" : "undone";
      return tell(await page.call("turn.decide", { ...part, decision })) ? at + 1 : at;
    }
    case "u":
      await takeBack(page, terminal, part.turn);
      return at;
    case "n":
    case "":
      return at + 1;
    case "b":
      return Math.max(0, at - 1);
    default:
      say(KEYS);
      return at;
  }
}

/** A file that was undone to what it was may be no part of the turn any more. */
async function renewed(
  page: PageClient,
  turn: string,
  file: string,
  before: TurnFileView,
): Promise<TurnFileView> {
  return page.call("turn.attach", { turn, file }).catch(() => before);
}

function titleOf({ path, kind, from, mode, content }: TurnFileInfo): string {
  const what = kind === "renamed" ? `renamed from ${from ?? "elsewhere"}` : kind;
  const modes = mode ? `, mode ${mode.before} → ${mode.after}` : "";
  return `${path} (${what}${modes}${content === "text" ? "" : `, ${content}`})`;
}

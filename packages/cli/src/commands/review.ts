import { parseArgs } from "node:util";
import { printable } from "@lockstep/protocol";
import { PageClient } from "@lockstep/workbench";
import type { ProposalInfo, State } from "@lockstep/workbench/contract";
import { type Command, EXIT, UsageError } from "../command.js";
import { findRunning } from "../editor/running-editor.js";
import { jsonText } from "../json-text.js";
import { ProposalReview } from "../review/review-proposal.js";
import { lastTurn, reviewTurn } from "../review/review-turn.js";
import { Terminal } from "../review/terminal.js";
import { workspace } from "../workspace.js";

const help = `lockstep review [folder] [--turn] [--wait] [--json]

Goes through what agents propose in the terminal, hunk by hunk like git add -p: keep,
drop, edit in $EDITOR, undo, then accept or reject with a reason. It needs Lockstep to
run on this folder or on one above it (lockstep, lockstep serve or lockstep run); an
open page shows the same.

  --turn              go through what has changed since the last prompt instead, for
                      agents that write without asking; d undoes it in the file
  --wait              wait for the next proposal until Ctrl+C, instead of ending
  --json              print what waits, as JSON, and ask nothing

Examples:
  lockstep review
  lockstep review --turn
  lockstep review --wait`;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      turn: { type: "boolean", default: false },
      wait: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  if (positionals.length > 1) throw new UsageError("review takes one folder");
  const folder = await workspace(positionals[0] ?? ".");
  const running = await findRunning(folder);
  if (!running) {
    console.error(
      printable(`lockstep: Lockstep does not run on ${folder}. Start it: lockstep serve`),
    );
    return EXIT.failed;
  }
  const page = await PageClient.open(running.url, "lockstep-review");
  try {
    if (values.json) {
      console.log(jsonText(await asked(page, values.turn), 2));
      return EXIT.ok;
    }
    if (values.turn) return await goThroughTurn(page);
    return await goThrough(page, values.wait);
  } finally {
    await page.close();
  }
}

/** What there is, for scripts. */
async function asked(page: PageClient, ofTurn: boolean): Promise<unknown> {
  if (!ofTurn) return waiting(page.state);
  const turn = lastTurn(page.state);
  return turn && { ...turn, files: await page.call("turn.files", { turn: turn.id }) };
}

async function goThroughTurn(page: PageClient): Promise<number> {
  using terminal = new Terminal();
  const turn = lastTurn(page.state);
  if (turn) await reviewTurn(page, terminal, turn);
  else terminal.say("Nothing has changed since the last prompt.");
  return EXIT.ok;
}

async function goThrough(page: PageClient, wait: boolean): Promise<number> {
  using terminal = new Terminal();
  /** Put off by the person: not asked again until the next run. */
  const put = new Set<string>();
  const next = (state: State) => waiting(state).find(({ id }) => !put.has(id));
  for (;;) {
    let info = next(page.state);
    if (!info) {
      if (!wait) {
        terminal.say(put.size > 0 ? "The rest waits." : "Nothing waits for review.");
        return EXIT.ok;
      }
      terminal.say("Waiting for proposals…");
      info = next(await page.until((state) => next(state) !== undefined));
    }
    if (!info) continue;
    const end = await ProposalReview.run(page, terminal, info, process.env);
    if (end === "later") put.add(info.id);
    if (end === "quit") return EXIT.ok;
  }
}

/** The oldest first; what nobody waits for any more can only be read on the page. */
function waiting({ proposals }: State): readonly ProposalInfo[] {
  return Object.values(proposals)
    .filter(({ kind }) => kind !== "orphaned")
    .sort((a, b) => a.since - b.since);
}

export const command: Command = { help, run };

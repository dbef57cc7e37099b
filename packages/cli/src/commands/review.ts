import { parseArgs } from "node:util";
import { printable } from "@lockstep/protocol";
import { PageClient } from "@lockstep/workbench";
import type { ProposalInfo, State } from "@lockstep/workbench/contract";
import { type Command, EXIT, UsageError } from "../command.js";
import { LOG_HELP, LOG_OPTIONS, openLog } from "../common-options.js";
import { findRunning } from "../editor/running-editor.js";
import { jsonText } from "../json-text.js";
import { Progress } from "../progress.js";
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
  --quiet             no remarks besides the changes and the questions
${LOG_HELP}

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
      quiet: { type: "boolean", default: false },
      ...LOG_OPTIONS,
    },
  });
  if (positionals.length > 1) throw new UsageError("review takes one folder");
  const folder = await workspace(positionals[0] ?? ".");
  using log = openLog(values);
  using progress = new Progress(values.quiet);
  progress.say("Asking Lockstep for what waits…");
  const running = await findRunning(folder);
  if (!running) {
    console.error(
      printable(`lockstep: Lockstep does not run on ${folder}. Start it: lockstep serve`),
    );
    return EXIT.failed;
  }
  const { url, pid, port } = running;
  log.hide(new URL(url).searchParams.get("launch") ?? "");
  log.note("found", JSON.stringify({ port, pid, url }));
  const page = await PageClient.open(url, {
    name: "lockstep-review",
    onMessage: (direction, text) => log.note(direction, text),
  });
  progress.end();
  try {
    if (values.json) {
      console.log(jsonText(await asked(page, values.turn), 2));
      return EXIT.ok;
    }
    using terminal = new Terminal({ quiet: values.quiet });
    if (values.turn) return await goThroughTurn(page, terminal);
    return await goThrough(page, terminal, values.wait);
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

async function goThroughTurn(page: PageClient, terminal: Terminal): Promise<number> {
  const turn = lastTurn(page.state);
  if (turn) await reviewTurn(page, terminal, turn);
  else terminal.remark("Nothing has changed since the last prompt.");
  return EXIT.ok;
}

async function goThrough(page: PageClient, terminal: Terminal, wait: boolean): Promise<number> {
  /** Put off by the person: not asked again until the next run. */
  const put = new Set<string>();
  const next = (state: State) => waiting(state).find(({ id }) => !put.has(id));
  for (;;) {
    let info = next(page.state);
    if (!info) {
      if (!wait) {
        terminal.remark(put.size > 0 ? "The rest waits." : "Nothing waits for review.");
        return EXIT.ok;
      }
      terminal.remark("Waiting for proposals…");
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

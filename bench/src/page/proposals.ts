import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { DiffAnswer } from "@lockstep/client";
import type { Page } from "playwright-core";
import type { Row } from "../figures.js";
import { ColdBrowser } from "./chromium.js";
import { LockstepEditor } from "./lockstep.js";
import type { PageMetricId } from "./metrics.js";
import { lines } from "./projects.js";
import { click, see, wallTime } from "./seeing.js";

const MEGABYTE = 1_000_000;
/** A word of the proposed text's first line. */
const MARK = "proposedByTheBench";
/** The review takes a click so soon after it appeared for a slip, and does nothing. */
const SLIP_MS = 450;

interface Edited {
  readonly before: string;
  readonly after: string;
  readonly hunks: number;
}

export interface ProposalsMeasured {
  readonly row: Row<PageMetricId>;
  /** Whether the page told that it compares the texts, before it had the hunks. */
  readonly progressSeen: boolean;
  /** Whether Accept was clicked, and answered, before there were hunks. */
  readonly acceptedWithoutHunks: boolean;
}

/**
 * The agent proposes on the real wire, from a call of openDiff on. The page's person opens the review
 * by a click on its tab as soon as there is one; a proposal itself takes nobody's view. The text is
 * visible when a frame shows its first line; hunks are shown when the review counts them all.
 */
export async function measureProposals(
  folder: string,
  project: string,
): Promise<ProposalsMeasured> {
  const large = edited(lines(10 * MEGABYTE), 50);
  const edits = edited(lines(20 * MEGABYTE).slice(0, 20_000), 10);
  await using editor = await LockstepEditor.start(folder, project);
  await using cold = await ColdBrowser.start();
  const { page } = cold;
  await page.goto(editor.url);
  await see(page, { selector: '[role="treeitem"]' });
  await using agent = await editor.agent();

  const propose = async (name: string, { before, after }: Edited) => {
    const path = join(project, name);
    await writeFile(path, before);
    const began = wallTime();
    const answer = agent.tools.openDiff({
      old_file_path: path,
      new_file_contents: after,
      tab_name: name,
    });
    const answered = answer.then((said) => verified(said, after));
    await click(page, { selector: ".shell-tab-review", text: name });
    return { began, answered };
  };

  // The hunks of one, then Accept at once of the other: an answer ends the work on hunks.
  let progressSeen = false;
  const telling = see(page, { selector: ".review-comparing" }).then(() => {
    progressSeen = true;
  });
  const compared = await propose("compared.ts", large);
  const visible = await see(page, { selector: ".review .cm-line", text: MARK });
  const shown = await see(page, hunksOf(large));
  // Where no progress is ever shown this is a time-out, or the end of the page.
  telling.catch(() => {});
  await accept(page);
  await compared.answered;

  const accepted = await propose("accepted.ts", large);
  const visibleAgain = await see(page, { selector: ".review .cm-line", text: MARK });
  await pause(SLIP_MS);
  const acceptedWithoutHunks = await page.locator(".review-comparing").isVisible();
  const clicked = await accept(page);
  const proposalAnswered = (await accepted.answered) - clicked;

  const many = await propose("edits.ts", edits);
  const counted = await see(page, hunksOf(edits));
  await pause(SLIP_MS);
  await accept(page);
  await many.answered;
  return {
    row: {
      proposalVisible: Math.min(visible.at - compared.began, visibleAgain.at - accepted.began),
      proposalHunks: shown.at - compared.began,
      proposalAnswered,
      editsHunks: counted.at - many.began,
    },
    progressSeen,
    acceptedWithoutHunks,
  };
}

const hunksOf = ({ hunks }: Edited) => ({ selector: ".review-count", text: `of ${hunks}` });

/** When it was clicked. */
function accept(page: Page): Promise<number> {
  return click(page, { selector: ".review-answers button:enabled", text: "Accept" });
}

/** When the agent has its answer. */
function verified(answer: DiffAnswer, proposed: string): number {
  const at = wallTime();
  if (answer.kind !== "saved" || answer.text !== proposed)
    throw new Error("The answer to openDiff is not the proposed text");
  return at;
}

/** Every so many lines one is changed, gets a new one behind it, or is gone, by turns. */
function edited(before: readonly string[], every: number): Edited {
  const after: string[] = [];
  let hunks = 0;
  for (const [at, line] of before.entries()) {
    const kind = at % every === 0 ? hunks++ % 3 : "same";
    if (kind === "same") after.push(line);
    if (kind === 0) after.push(`${line} // ${MARK}`);
    if (kind === 1) after.push(line, `  // ${MARK} ${at}`);
  }
  return { before: before.join("\n"), after: after.join("\n"), hunks };
}

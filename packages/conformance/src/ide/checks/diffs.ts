import { readFile } from "node:fs/promises";
import { DIFF_REJECTED, FILE_SAVED, TAB_CLOSED } from "@lockstep/protocol";
import { expect, Fault, NotChecked, seen } from "../../check.js";
import type { Decision, IdeUnderTest } from "../ide-under-test.js";
import type { IdeCheck } from "./ide-check.js";
import { type Answer, BASE, CHANGED, closing, type Proposed, withProposal } from "./proposal.js";

/** A person reads first. */
const PERSON_MS = 300_000;

const WORDS: Readonly<Record<Decision, string>> = { accept: FILE_SAVED, reject: DIFF_REJECTED };

export const diffs: readonly IdeCheck[] = [
  {
    clause: "C24",
    title: "Other requests are answered while a proposal is open",
    check: (ide) =>
      withProposal(ide, async (proposed) => {
        stillOpen(proposed);
        await proposed.agent.toolNames();
      }),
  },
  {
    clause: "C37",
    title: "A yes is FILE_SAVED and, as a second text, the whole final contents",
    check: (ide) =>
      withProposal(ide, async (proposed) => {
        const { texts } = await decided(ide, proposed, "accept");
        expect(texts.length >= 2, `the contents are missing: ${seen(texts)}`);
        if (proposed.early) expect(texts[1] === CHANGED, `the contents are ${seen(texts[1])}`);
      }),
  },
  {
    clause: "C38",
    title: "A no is DIFF_REJECTED",
    check: (ide) =>
      withProposal(ide, async (proposed) => {
        await decided(ide, proposed, "reject");
      }),
  },
  {
    clause: "C39",
    title: "The editor does not write the proposed file",
    check: (ide) =>
      withProposal(ide, async ({ agent, path, tabName }) => {
        await agent.request("tools/call", closing(tabName));
        const text = await readFile(path, "utf8");
        expect(text === BASE, `the file now holds ${seen(text)}`);
      }),
  },
  {
    clause: "C40",
    title: "A proposal whose tab the agent closes is answered",
    check: (ide) =>
      withProposal(ide, async (proposed) => {
        expect(await closed(ide, proposed), `openDiff got no answer in ${ide.patienceMs} ms`);
      }),
  },
  {
    clause: "C41",
    title: "A proposal whose tab is closed is answered with DIFF_REJECTED, never with TAB_CLOSED",
    check: (ide) =>
      withProposal(ide, async (proposed) => {
        const answer = await closed(ide, proposed);
        if (!answer) throw new NotChecked("the proposal is not answered at all, see C40");
        expect(answer.word === DIFF_REJECTED, `openDiff was answered with ${seen(answer.texts)}`);
      }),
  },
  {
    clause: "C42",
    title: "closeAllDiffTabs counts the proposals that it closes, and accepts none",
    check: (ide) =>
      withProposal(ide, async (proposed) => {
        stillOpen(proposed);
        const { agent, answer } = proposed;
        if (!(await agent.toolNames()).includes("closeAllDiffTabs"))
          throw new NotChecked("the editor does not offer closeAllDiffTabs");
        const [text = ""] = await agent.callTool("closeAllDiffTabs");
        expect(/^CLOSED_[1-9]\d*_DIFF_TABS$/.test(text), `it answered ${seen(text)}`);
        const { word = "" } = (await answer(ide.patienceMs)) ?? {};
        expect(word !== FILE_SAVED && word !== TAB_CLOSED, `openDiff was answered with ${word}`);
      }),
  },
  {
    clause: "C44",
    title: "A proposal may be for a file that does not exist yet",
    async check(ide) {
      await withProposal(ide, async () => {}, await ide.path());
    },
  },
];

function stillOpen({ early }: Proposed): void {
  if (early) throw new NotChecked(`the editor answers proposals by itself, with ${early.word}`);
}

/** The answer after the agent has closed the tab; undefined if none comes. */
async function closed(ide: IdeUnderTest, proposed: Proposed): Promise<Answer | undefined> {
  stillOpen(proposed);
  await proposed.agent.request("tools/call", closing(proposed.tabName));
  return proposed.answer(ide.patienceMs);
}

async function decided(
  ide: IdeUnderTest,
  { early, tabName, answer }: Proposed,
  decision: Decision,
): Promise<Answer> {
  const word = WORDS[decision];
  if (early) {
    const other = early.word === FILE_SAVED || early.word === DIFF_REJECTED;
    if (other && early.word !== word)
      throw new NotChecked(`the editor answers proposals by itself, with ${early.word}`);
    expect(early.word === word, `openDiff was answered with ${seen(early.texts)}`);
    return early;
  }
  if (!ide.decide) throw new NotChecked(`somebody has to ${decision} a proposal`);
  await ide.decide(decision, tabName);
  const late = await answer(PERSON_MS);
  if (!late) throw new Fault("openDiff got no answer");
  expect(late.word === word, `a ${decision} was answered with ${seen(late.texts)}`);
  return late;
}

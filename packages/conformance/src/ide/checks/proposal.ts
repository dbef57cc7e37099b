import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import { Fault, seen } from "../../check.js";
import { isAnswer, type Json } from "../../message.js";
import type { IdeUnderTest } from "../ide-under-test.js";
import { readToolAnswer, type WireAgent } from "../wire-agent.js";

/** An editor that decides by itself does so within this part of our patience; a person takes longer. */
const BY_ITSELF = 0.1;

/** A proposal of the check's own, in front of the person. */
export interface Proposed {
  readonly agent: WireAgent;
  readonly path: string;
  readonly tabName: string;
  /** The answer so far: there is one at once if the editor decides by itself. */
  readonly early: Answer | undefined;
  /** The answer, if it comes in that time. */
  answer(ms: number): Promise<Answer | undefined>;
}

export interface Answer {
  readonly word: string;
  readonly texts: readonly string[];
}

export const BASE = "one\ntwo\n";
export const CHANGED = "ONE\ntwo\n";

/** Proposes a change as the CLI does, and takes the proposal away again whatever the check finds. */
export async function withProposal(
  ide: IdeUnderTest,
  check: (proposed: Proposed) => Promise<void>,
  given?: string,
): Promise<void> {
  const path = given ?? (await ide.file(BASE));
  const agent = await ide.connectFor("openDiff");
  const tabName = `✻ [Claude Code] ${basename(path)} (${randomBytes(3).toString("hex")}) ⧉`;
  const id = agent.startTool("openDiff", {
    old_file_path: path,
    new_file_path: path,
    new_file_contents: CHANGED,
    tab_name: tabName,
  });
  const answer = async (ms: number) => {
    const reply = await agent.next((message) => isAnswer(message, id), ms);
    return reply && read(reply);
  };
  const early = await answer(BY_ITSELF * ide.patienceMs);
  try {
    await check({ agent, path, tabName, early, answer });
  } finally {
    if (agent.isOpen) await agent.request("tools/call", closing(tabName)).catch(() => {});
  }
}

export const closing = (tabName: string) => ({
  name: "close_tab",
  arguments: { tab_name: tabName },
});

function read(reply: Json): Answer {
  const { texts, failed } = readToolAnswer(reply);
  if (failed) throw new Fault(`openDiff failed: ${seen(texts[0] ?? reply.error)}`);
  return { word: texts[0] ?? "", texts };
}

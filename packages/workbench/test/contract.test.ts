import { ChangeSet } from "@codemirror/state";
import { type Proposal, withAbilities } from "@lockstep/editor";
import { editorContract, type Person, type Subject } from "@lockstep/editor/contract";
import { describe, it } from "vitest";
import type { State } from "../src/contract/index.js";
import type { PageClient } from "./page-client.js";
import { WorkbenchScene } from "./workbench-scene.js";

/** The workbench as an agent sees it, and a person at a page who does everything by the page's calls. */
async function workbenchSubject(): Promise<Subject> {
  const scene = await WorkbenchScene.open();
  const page = await scene.page();
  const proposals = new Map<string, Proposal>();
  const editor = withAbilities(scene.workbench, (own) => ({
    ...own,
    review: (proposal, call) => {
      proposals.set(proposal.id, proposal);
      if (!own.review) throw new Error("The workbench reviews nothing");
      return own.review(proposal, call);
    },
  }));
  let answer = false;
  page.on("state.patch", (patch) => {
    if (patch.kind !== "entry" || patch.collection !== "questions" || patch.value === null) return;
    void page.call("question.answer", { id: patch.key, yes: answer });
  });
  const start = { line: 0, character: 0 };
  const person: Person = {
    open: async (uri) => {
      await page.call("tab.open", { uri, preview: false });
      await page.call("window.show", { view: { kind: "document", uri }, focused: true });
    },
    type: async (uri, text) => {
      await replace(page, uri, text);
      await page.call("window.select", { uri, anchor: start, head: start, focused: true });
    },
    select: (uri, { start: anchor, end: head }) =>
      page.call("window.select", { uri, anchor, head, focused: true }),
    mention: async (uri, lines) => void (await page.call("mention", { uri, lines })),
    proposals: async (count) => {
      const state = await page.until((now) => waiting(now).length === count);
      return waiting(state).map((id) => {
        const proposal = proposals.get(id);
        if (!proposal) throw new Error(`A proposal that nobody made: ${id}`);
        return proposal;
      });
    },
    draft: async (id, text) => {
      await page.call("review.attach", { id });
      await replace(page, `proposal:${id}`, text);
    },
    accept: (id) => page.call("review.accept", { id }),
    reject: async (id, reason) => void (await page.call("review.reject", { id, reason })),
    answerQuestions: async (yes) => {
      answer = yes;
    },
    takeBack: async () => {
      for (const id of Object.keys(page.state.permissions))
        await page.call("permission.revoke", { id });
    },
  };
  return {
    editor,
    person,
    file: (name, text) => scene.write(name, text),
    missingFile: (name) => scene.uri(name),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

/** An edited proposal that was withdrawn stays to be read, but awaits nothing. */
function waiting({ proposals }: State): readonly string[] {
  return Object.keys(proposals).filter((id) => proposals[id]?.kind === "waiting");
}

/** Makes a shared text another, as an edit of the page. */
async function replace(page: PageClient, name: string, text: string): Promise<void> {
  const { epoch, version, text: before } = await page.call("text.attach", { name });
  const changes = ChangeSet.of({ from: 0, to: before.length, insert: text }, before.length);
  const updates = [{ clientID: "page", changes: changes.toJSON() }];
  await page.call("text.push", { name, epoch, version, updates });
}

describe("the Editor contract, kept by the workbench with a person at its page", () => {
  for (const { sentence, needs, check } of editorContract) {
    if (needs.some((need) => need === "format" || need === "diagnostics")) continue;
    it(sentence, async () => {
      await using subject = await workbenchSubject();
      await check(subject);
    });
  }
});

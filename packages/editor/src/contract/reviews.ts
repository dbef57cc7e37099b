import assert from "node:assert/strict";
import type { Review } from "../port.js";
import { ability, type Clause, call, proposalFor } from "./clause.js";
import type { Person } from "./subject.js";

/** Proposals: two outcomes, and a withdrawal at any time. */
export const reviewClauses: readonly Clause[] = [
  {
    sentence: "a proposal is shown with its base and text, and accepted as it is",
    needs: ["review"],
    async check({ editor, person, file }) {
      const proposal = proposalFor(await file("a.txt", "old\n"), "old\n", "new\n");
      const review = ability(editor, "review")(proposal, call);
      assert.deepEqual(await person.proposals(1), [proposal]);
      await person.accept(proposal.id);
      assert.deepEqual(await review.outcome, { kind: "accepted", text: "new\n" });
      assert.deepEqual(await person.proposals(0), []);
    },
  },
  {
    sentence: "what the person made of the proposal is what is accepted",
    needs: ["review"],
    async check({ editor, person, file }) {
      const proposal = proposalFor(await file("a.txt", "old"), "old", "new");
      const review = ability(editor, "review")(proposal, call);
      await person.proposals(1);
      await person.draft(proposal.id, "new, and mine: 😀\n");
      await person.accept(proposal.id);
      assert.deepEqual(await review.outcome, { kind: "accepted", text: "new, and mine: 😀\n" });
    },
  },
  {
    sentence: "a rejection carries the person's reason, if there is one",
    needs: ["review"],
    async check({ editor, person, missingFile }) {
      const outcomes = [];
      for (const reason of ["not like this", undefined]) {
        const proposal = proposalFor(missingFile("new.txt"), null, "text");
        const review = ability(editor, "review")(proposal, call);
        await person.proposals(1);
        await person.reject(proposal.id, reason);
        outcomes.push(await review.outcome);
      }
      assert.equal(outcomes[0]?.kind, "rejected");
      assert.deepEqual(
        outcomes.map((outcome) => outcome.kind === "rejected" && outcome.reason),
        ["not like this", undefined],
      );
    },
  },
  {
    sentence: "several proposals wait side by side, and each gets its own answer",
    needs: ["review"],
    async check({ editor, person, file }) {
      const uri = await file("a.txt", "old");
      const first = proposalFor(uri, "old", "first");
      const second = proposalFor(uri, "old", "second");
      const reviews = [first, second].map((proposal) => ability(editor, "review")(proposal, call));
      await person.proposals(2);
      await person.accept(second.id);
      await person.reject(first.id);
      const outcomes = await Promise.all(reviews.map(({ outcome }) => outcome));
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ["rejected", "accepted"],
      );
    },
  },
  {
    sentence: "a withdrawn proposal is gone, gives its draft, and never has an outcome",
    needs: ["review"],
    async check({ editor, person, file }) {
      const proposal = proposalFor(await file("a.txt", "old"), "old", "new");
      const review = ability(editor, "review")(proposal, call);
      await person.proposals(1);
      await person.draft(proposal.id, "half done");
      assert.equal(await review.withdraw("answered-elsewhere"), "half done");
      assert.deepEqual(await person.proposals(0), []);
      assert.equal(await review.withdraw("stopping"), "half done");
      await assert.rejects(person.accept(proposal.id));
      assert.equal(await settledBy(review, person), false);
    },
  },
];

/** Whether the outcome settles before the editor has answered one more, unrelated question. */
function settledBy(review: Review, person: Person): Promise<boolean> {
  const settled = review.outcome.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, person.proposals(0).then(() => false)]);
}

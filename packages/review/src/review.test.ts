import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  acceptedText,
  applyChanges,
  conflicts,
  decide,
  decideRest,
  diffLines,
  diffRanges,
  editLines,
  linesOf,
  openReview,
  type Review,
  rebase,
  redo,
  shownChanges,
  shownText,
  undo,
} from "./index.js";

/** Few different lines, so that texts repeat themselves and diffs have to choose. */
const texts = fc
  .array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 12 })
  .map((lines) => lines.join("\n"));

/** The person has changed the right side to this text. */
const editShown = (review: Review, text: string): Review =>
  editLines(review, diffLines(linesOf(shownText(review)), linesOf(text)));

type Act =
  | { readonly do: "decide"; readonly at: number; readonly as: "kept" | "dropped" }
  | { readonly do: "rest"; readonly as: "kept" | "dropped" }
  | { readonly do: "edit" | "move"; readonly text: string }
  | { readonly do: "undo" | "redo" };

const as = fc.constantFrom("kept" as const, "dropped" as const);
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant("decide" as const), at: fc.nat(9), as }),
  fc.record({ do: fc.constant("rest" as const), as }),
  fc.record({ do: fc.constantFrom("edit" as const, "move" as const), text: texts }),
  fc.record({ do: fc.constantFrom("undo" as const, "redo" as const) }),
);
const acts = fc.array(act, { maxLength: 12 });

function perform(review: Review, step: Act): Review {
  switch (step.do) {
    case "decide": {
      const hunk = review.hunks[step.at % Math.max(1, review.hunks.length)];
      return hunk ? decide(review, hunk.id, step.as) : review;
    }
    case "rest":
      return decideRest(review, step.as);
    case "edit":
      return editShown(review, step.text);
    case "move":
      return rebase(review, step.text);
    case "undo":
      return undo(review);
    case "redo":
      return redo(review);
  }
}

/** Puts the kept hunks into the base from the last to the first: another way to the same text. */
function meant({ base, hunks }: Review): string {
  const lines = [...base];
  for (const hunk of [...hunks].reverse()) {
    if (hunk.decision === "kept" || hunk.decision === "edited")
      lines.splice(hunk.from, hunk.to - hunk.from, ...hunk.lines);
  }
  return lines.join("\n");
}

const after = (base: string, proposed: string, steps: readonly Act[]) =>
  steps.reduce(perform, openReview(base, proposed));

describe("a review", () => {
  it("of which all is kept gives the proposal, of which all is dropped the base", () => {
    fc.assert(
      fc.property(texts, texts, (base, proposed) => {
        const review = openReview(base, proposed);
        expect(shownText(review)).toBe(proposed);
        expect(acceptedText(review)).toBe(base);
        expect(acceptedText(decideRest(review, "kept"))).toBe(proposed);
        expect(acceptedText(decideRest(review, "dropped"))).toBe(base);
        expect(shownText(decideRest(review, "dropped"))).toBe(base);
      }),
    );
  });

  it("gives the text that its kept hunks mean, after any steps", () => {
    fc.assert(
      fc.property(texts, texts, acts, (base, proposed, steps) => {
        const review = after(base, proposed, steps);
        expect(acceptedText(review)).toBe(meant(review));
      }),
      { numRuns: 2_000 },
    );
  });

  it("keeps its hunks in order, apart, within the base and told apart, after any steps", () => {
    fc.assert(
      fc.property(texts, texts, acts, (base, proposed, steps) => {
        const { hunks, base: lines } = after(base, proposed, steps);
        let end = -1;
        for (const { from, to } of hunks) {
          // A line between any two: of changes that meet nobody could say which comes first.
          expect(from).toBeGreaterThan(end);
          expect(to).toBeGreaterThanOrEqual(from);
          end = to;
        }
        expect(end).toBeLessThanOrEqual(lines.length);
        expect(lines.length).toBeGreaterThan(0);
        expect(new Set(hunks.map(({ id }) => id)).size).toBe(hunks.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it("can be opened with changes that somebody else has compared", () => {
    fc.assert(
      fc.property(texts, texts, (base, proposed) => {
        const ranges = diffRanges(linesOf(base), linesOf(proposed));
        expect(openReview(base, proposed, ranges)).toEqual(openReview(base, proposed));
      }),
    );
  });

  it("tells which lines of the right side a step changes", () => {
    fc.assert(
      fc.property(texts, texts, acts, act, (base, proposed, steps, last) => {
        fc.pre(last.do !== "move");
        const before = after(base, proposed, steps);
        const then = perform(before, last);
        const changed = applyChanges(linesOf(shownText(before)), shownChanges(before, then));
        expect(changed.join("\n")).toBe(shownText(then));
      }),
      { numRuns: 2_000 },
    );
  });

  it("of a new file is one hunk, or none for an empty one", () => {
    expect(shownText(openReview(null, "a\nb\n"))).toBe("a\nb\n");
    expect(openReview(null, "a\nb\n").hunks).toHaveLength(1);
    expect(openReview(null, "").hunks).toEqual([]);
    const kept = decideRest(openReview(null, "a\n"), "kept");
    expect(acceptedText(kept)).toBe("a\n");
    expect(shownText(editShown(decideRest(openReview(null, "a"), "dropped"), "b"))).toBe("b");
  });
});

describe("an edit of the right side", () => {
  it("is what is shown afterwards, whatever was decided before", () => {
    fc.assert(
      fc.property(texts, texts, acts, texts, (base, proposed, steps, text) => {
        expect(shownText(editShown(after(base, proposed, steps), text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it("leaves hunks elsewhere as they were decided", () => {
    const review = decide(openReview("a\nb\nc\nd\ne", "A\nb\nc\nd\nE"), 0, "kept");
    const edited = editShown(review, "A\nb\nC\nd\nE");
    expect(edited.hunks.map(({ decision, lines }) => [decision, lines])).toEqual([
      ["kept", ["A"]],
      ["edited", ["C"]],
      ["pending", ["E"]],
    ]);
  });

  it("makes the hunk that it touches the person's own, under the same id", () => {
    const [hunk] = editShown(openReview("a\nb\nc", "a\nB\nc"), "a\nB!\nc").hunks;
    expect(hunk).toMatchObject({ id: 0, decision: "edited", lines: ["B!"], from: 1, to: 2 });
  });

  it("settles a dropped hunk that it meets", () => {
    const dropped = decide(openReview("a\nb\nc", "a\nB\nc"), 0, "dropped");
    expect(editShown(dropped, "a\nx\nb\nc").hunks).toMatchObject([
      { decision: "edited", lines: ["x"] },
    ]);
  });

  it("back to the base leaves no hunk", () => {
    expect(editShown(openReview("a\nb", "a\nB"), "a\nb").hunks).toEqual([]);
  });
});

describe("undo", () => {
  it("goes back through every step to the beginning, and redo to the end", () => {
    const steps = acts.map((all) =>
      all.filter(({ do: what }) => !["undo", "redo", "move"].includes(what)),
    );
    fc.assert(
      fc.property(texts, texts, steps, (base, proposed, done) => {
        const start = openReview(base, proposed);
        const end = after(base, proposed, done);
        let review = end;
        for (let times = 0; times <= done.length; times++) review = undo(review);
        expect(review.hunks).toEqual(start.hunks);
        for (let times = 0; times <= done.length; times++) review = redo(review);
        expect(review.hunks).toEqual(end.hunks);
      }),
    );
  });

  it("does not undo what the document did by itself", () => {
    const review = decide(openReview("a\nb\nc", "a\nb\nC"), 0, "kept");
    const moved = undo(rebase(review, "new\na\nb\nc"));
    expect(shownText(moved)).toBe("new\na\nb\nC");
    expect(acceptedText(moved)).toBe("new\na\nb\nc");
  });
});

describe("a document that moves under the proposal", () => {
  it("carries hunks elsewhere along, with their decisions", () => {
    const review = decide(openReview("a\nb\nc\nd\ne", "a\nB\nc\nd\nE"), 0, "kept");
    const moved = rebase(review, "0\na\nb\nc\nd\ne");
    expect(moved.hunks.map(({ from, decision }) => [from, decision])).toEqual([
      [2, "kept"],
      [5, "pending"],
    ]);
    expect(conflicts(moved)).toEqual([]);
    expect(acceptedText(decideRest(moved, "kept"))).toBe("0\na\nB\nc\nd\nE");
  });

  it("takes away a hunk that it has made itself", () => {
    const review = openReview("a\nb\nc", "a\nB\nc");
    expect(rebase(review, "a\nB\nc").hunks).toEqual([]);
  });

  it("is in conflict where both changed, and nothing is applied there until it is decided", () => {
    const moved = rebase(decide(openReview("a\nb\nc", "a\nB\nc"), 0, "kept"), "a\nx\nc");
    expect(conflicts(moved)).toMatchObject([{ id: 0, lines: ["B"], conflict: { was: ["b"] } }]);
    expect(shownText(moved)).toBe("a\nx\nc");
    expect(acceptedText(moved)).toBe("a\nx\nc");
    expect(acceptedText(decideRest(moved, "kept"))).toBe("a\nx\nc");
    expect(acceptedText(decide(moved, 0, "kept"))).toBe("a\nB\nc");
    expect(acceptedText(decide(moved, 0, "dropped"))).toBe("a\nx\nc");
  });

  it("is in conflict where the changes only meet: nobody knows which line comes first", () => {
    const review = openReview("a\nb", "a\nnew\nb");
    expect(conflicts(rebase(review, "a\nother\nb"))).toHaveLength(1);
  });

  it("loses nothing of itself: without kept hunks the text is the document", () => {
    fc.assert(
      fc.property(texts, texts, acts, texts, (base, proposed, steps, document) => {
        const moved = rebase(after(base, proposed, steps), document);
        expect(acceptedText(decideAllDropped(moved))).toBe(document);
      }),
    );
  });
});

function decideAllDropped(review: Review): Review {
  return review.hunks.reduce((state, { id }) => decide(state, id, "dropped"), review);
}

import { ChangeSet, Text } from "@codemirror/state";
import { conflicts, linesOf, openReview, shownText } from "@lockstep/review";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hunkInfos } from "./hunk-info.js";
import { lineChanges, textChanges } from "./line-changes.js";
import { OpenReview } from "./open-review.js";

const texts = fc
  .array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 10 })
  .map((lines) => lines.join("\n"));

/** `late` windows type into a text that others have changed since. Places are fractions of the text. */
type Act =
  | { readonly do: "decide"; readonly at: number; readonly as: "kept" | "dropped" }
  | { readonly do: "rest"; readonly as: "kept" | "dropped" }
  | {
      readonly do: "type";
      readonly from: number;
      readonly to: number;
      readonly text: string;
      readonly late: number;
    }
  | { readonly do: "move"; readonly text: string }
  | { readonly do: "undo" | "redo" | "pause" };

const as = fc.constantFrom("kept" as const, "dropped" as const);
const place = fc.double({ min: 0, max: 1, noNaN: true });
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant("decide" as const), at: fc.nat(9), as }),
  fc.record({ do: fc.constant("rest" as const), as }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("type" as const),
      from: place,
      to: place,
      text: fc.constantFrom("", "x", "\n", "a\nb", "\n\n"),
      late: fc.nat(3),
    }),
  },
  fc.record({ do: fc.constant("move" as const), text: texts }),
  fc.record({ do: fc.constantFrom("undo" as const, "redo" as const, "pause" as const) }),
);

/** A review with several windows on it. */
class Desk {
  readonly review: OpenReview;
  /** The right side at each version. */
  readonly #versions: Text[];

  constructor(base: string, proposed: string) {
    this.review = new OpenReview({ base, shown: proposed }, () => {});
    this.#versions = [this.review.shared.text];
    this.review.shared.subscribe(({ version, updates }) => {
      for (const [index, { changes }] of updates.entries()) {
        const before = this.#versions[version + index] as Text;
        this.#versions[version + index + 1] = ChangeSet.fromJSON(changes).apply(before);
      }
    });
  }

  perform(step: Act): void {
    const { review } = this;
    if (step.do === "decide") {
      const hunks = review.hunks ?? [];
      const hunk = hunks[step.at % Math.max(1, hunks.length)];
      // Typing that is taken in first may have made an end of the hunk.
      if (hunk) attempt(() => review.decide(hunk.id, step.as));
    } else if (step.do === "rest") review.decide("rest", step.as);
    else if (step.do === "type") this.#type(step);
    else if (step.do === "move") review.moveTo(step.text);
    else if (step.do === "undo") review.undo();
    else if (step.do === "redo") review.redo();
    else review.takeIn();
  }

  #type({ from, to, text, late }: Extract<Act, { do: "type" }>): void {
    const { shared } = this.review;
    const version = Math.max(0, shared.version - late);
    const { length } = this.#versions[version] as Text;
    const [start = 0, end = 0] = [from, to].map((at) => Math.round(at * length)).sort(ascending);
    const changes = ChangeSet.of({ from: start, to: end, insert: text }, length).toJSON();
    // Each time as another window: one window never forgets what it has sent itself.
    const clientID = `window ${shared.version}`;
    expect(shared.receive(shared.epoch, version, [{ clientID, changes }])).toBe(true);
  }
}

const ascending = (a: number, b: number) => a - b;

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // What cannot be done changes nothing, which is what the test goes on to check.
  }
}

describe("a review that several windows edit", () => {
  it("always shows the text that its hunks mean, and accepts no other", () => {
    fc.assert(
      fc.property(texts, texts, fc.array(act, { maxLength: 14 }), (base, proposed, steps) => {
        const desk = new Desk(base, proposed);
        for (const step of [...steps, { do: "pause" } as const]) {
          desk.perform(step);
          const { base: now, hunks = [], shown } = desk.review.kept;
          const meant = { ...openReview(now ?? "", ""), hunks };
          expect(shown).toBe(desk.review.text);
          expect(shownText(meant)).toBe(desk.review.text);
          // While somebody types, the hunks are those of before.
          if (step.do !== "pause") continue;
          expect(desk.review.text).toBe(shown);
          expect(desk.review.hunks).toEqual(hunkInfos(meant));
          if (conflicts(meant).length > 0) expect(() => desk.review.final()).toThrow();
          else expect(desk.review.final() ?? now ?? "").toBe(desk.review.text);
        }
        desk.review.close();
      }),
      { numRuns: 600 },
    );
  });

  it("goes back to the proposal by undoing everything", () => {
    const steps = fc.array(
      act.filter(({ do: what }) => !["move", "undo", "redo"].includes(what)),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(texts, texts, steps, (base, proposed, done) => {
        const desk = new Desk(base, proposed);
        for (const step of done) desk.perform(step);
        while (desk.review.canUndo) desk.review.undo();
        expect(desk.review.text).toBe(proposed);
        expect(desk.review.isTouched).toBe(false);
        desk.review.close();
      }),
    );
  });
});

describe("a review whose texts are still being compared", () => {
  const large = Array.from({ length: 20_000 }, (_, at) => `line ${at}, long enough`).join("\n");

  it("can be accepted as it is, but not when the file has changed meanwhile", async () => {
    const review = new OpenReview({ base: large, shown: `${large}\nmore` }, () => {});
    expect(review.hunks).toBeNull();
    expect(review.final()).toBe(`${large}\nmore`);
    review.moveTo(`less\n${large}`);
    expect(() => review.final()).toThrow(/still being compared/);
    await review.ready;
    expect(review.final()).toBe(`less\n${large}\nmore`);
    review.close();
  });
});

describe("a fault in whoever hears of the typing", () => {
  it("is reported, and ends nothing", async () => {
    const fault = new Error("a fault");
    const listener = (changed: string) => {
      if (changed === "hunks") throw fault;
    };
    let review: OpenReview | undefined;
    const reported = await new Promise((resolve) => {
      review = new OpenReview({ base: "a", shown: "b" }, listener, resolve);
      review.shared.edit({ from: 0, insert: "x" });
    });
    expect(reported).toBe(fault);
    expect(review?.text).toBe("xb");
    review?.close();
  });
});

describe("changes of lines and of characters", () => {
  it("are the same changes, either way", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const text = Text.of(before.split("\n"));
        const changes = openReview(before, after).hunks;
        const asCharacters = ChangeSet.of(textChanges(changes, text), text.length);
        const changed = asCharacters.apply(text);
        expect(changed.toString()).toBe(after);
        const asLines = lineChanges(asCharacters, text, changed);
        const again = { ...openReview(before, before), hunks: asLines.map(decided) };
        expect(shownText(again)).toBe(after);
        expect(linesOf(before)).toEqual(again.base);
      }),
      { numRuns: 2_000 },
    );
  });

  const decided = (change: ReturnType<typeof lineChanges>[number], id: number) => ({
    ...change,
    id,
    decision: "edited" as const,
  });
});

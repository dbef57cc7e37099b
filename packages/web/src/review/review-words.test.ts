import type { ProposalInfo, Tally } from "@lockstep/workbench/contract";
import { describe, expect, it } from "vitest";
import { acceptWords, ageOf, inQueueOrder } from "./review-words.js";

const none = { pending: 0, kept: 0, dropped: 0, edited: 0, conflicts: 0, added: 0, removed: 0 };
const info = (tally: Partial<Tally> | null, more: Partial<ProposalInfo> = {}) =>
  ({ kind: "waiting", tally: tally && { ...none, ...tally }, ...more }) as ProposalInfo;

describe("the button that accepts", () => {
  it("says what it will send", () => {
    expect(acceptWords(info(null))).toBe("Accept");
    expect(acceptWords(info({ pending: 1 }))).toBe("Accept the change");
    expect(acceptWords(info({ pending: 3, kept: 1, edited: 1 }))).toBe("Accept all 5 changes");
    expect(acceptWords(info({ pending: 1, kept: 1, edited: 1, dropped: 2 }))).toBe(
      "Send 3 of 5 changes",
    );
  });

  it("says when it would not send anything", () => {
    expect(acceptWords(info({ dropped: 2 }))).toBe("Reject: all dropped");
    expect(acceptWords(info({ pending: 4, conflicts: 2 }))).toBe("Decide 2 conflicts");
  });

  it("says that a merge goes into the document", () => {
    expect(acceptWords(info({ pending: 1 }, { kind: "merge" }))).toBe("Merge into the document");
  });
});

describe("the queue", () => {
  it("has those that wait first, then merges, then what nobody waits for, the oldest first", () => {
    const entry = (id: string, kind: ProposalInfo["kind"], since: number) =>
      info(null, { id, kind, since });
    const all = [
      entry("orphaned", "orphaned", 1),
      entry("late", "waiting", 9),
      entry("merge", "merge", 2),
      entry("early", "waiting", 3),
    ];
    expect(inQueueOrder(all).map(({ id }) => id)).toEqual(["early", "late", "merge", "orphaned"]);
  });

  it("shows ages in the largest unit", () => {
    const minute = 60_000;
    expect([0, 5, 59, 61, 25 * 60].map((age) => ageOf(0, age * minute))).toEqual([
      "now",
      "5 min",
      "59 min",
      "1 h",
      "1 d",
    ]);
  });
});

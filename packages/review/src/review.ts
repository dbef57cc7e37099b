import { diffRanges } from "./diff-ranges.js";
import { applyChanges, type Change, changesOf, type Lines, linesOf, textOf } from "./line-diff.js";

/** What a person has made of a hunk. "edited" is kept as well, in the person's own words. */
export type Decision = "pending" | "kept" | "dropped" | "edited";

/** One change of the proposal; its place is counted in the base. */
export interface Hunk extends Change {
  /** Stays the same through decisions, moves and undos, so that a view can follow it. */
  readonly id: number;
  readonly decision: Decision;
  /**
   * The base has changed where this hunk would change it; these lines were there before. A hunk in
   * conflict is pending, and applied nowhere until a person has decided it.
   */
  readonly conflict?: { readonly was: Lines };
}

/** A proposal under review. Never changed: every step makes a new one. */
export interface Review {
  readonly base: Lines;
  /** In the order of the base, none overlapping another. */
  readonly hunks: readonly Hunk[];
  readonly nextId: number;
  /** The hunks as they were before each step, the latest last. */
  readonly past: readonly (readonly Hunk[])[];
  readonly future: readonly (readonly Hunk[])[];
}

/**
 * The base of a new file is null. Whoever has compared the lines already, such as a thread, gives what
 * {@link diffRanges} found.
 */
export function openReview(base: string | null, proposed: string, ranges?: Int32Array): Review {
  const lines = linesOf(base ?? "");
  const wanted = linesOf(proposed);
  const hunks = changesOf(ranges ?? diffRanges(lines, wanted), wanted).map(
    (change, id): Hunk => ({ ...change, id, decision: "pending" }),
  );
  return { base: lines, hunks, nextId: hunks.length, past: [], future: [] };
}

/** Decides one hunk. A conflict is settled by it, for the hunk's lines or against them. */
export function decide(review: Review, id: number, decision: "kept" | "dropped"): Review {
  return step(
    review,
    review.hunks.map((hunk) => (hunk.id === id ? decided(hunk, decision) : hunk)),
  );
}

/** Decides all that is pending and in peace; what was decided by itself stays so. */
export function decideRest(review: Review, decision: "kept" | "dropped"): Review {
  const open = ({ decision: now, conflict }: Hunk) => now === "pending" && !conflict;
  return step(
    review,
    review.hunks.map((hunk) => (open(hunk) ? decided(hunk, decision) : hunk)),
  );
}

function decided(hunk: Hunk, decision: Decision): Hunk {
  const { conflict, ...peaceful } = hunk;
  return hunk.decision === decision && !conflict ? hunk : { ...peaceful, decision };
}

/** The text that the decisions mean: what is kept or edited is in it, and nothing else. */
export function acceptedText(review: Review): string {
  return derive(review, ({ decision }) => decision === "kept" || decision === "edited");
}

/** What a person sees on the right side: as above, with what is not decided yet. */
export function shownText(review: Review): string {
  return derive(review, isShown);
}

export function conflicts(review: Review): readonly Hunk[] {
  return review.hunks.filter(({ conflict }) => conflict);
}

export function undo(review: Review): Review {
  const { hunks, past, future } = review;
  const last = past.at(-1);
  return last
    ? { ...review, hunks: last, past: past.slice(0, -1), future: [hunks, ...future] }
    : review;
}

export function redo(review: Review): Review {
  const { hunks, past, future } = review;
  const [next, ...later] = future;
  return next ? { ...review, hunks: next, past: [...past, hunks], future: later } : review;
}

export function isShown({ decision, conflict }: Hunk): boolean {
  return decision !== "dropped" && !conflict;
}

/** Keeps the state before, so that it can be undone. A step that changes nothing is none. */
export function step(review: Review, hunks: readonly Hunk[], nextId = review.nextId): Review {
  const before = review.hunks;
  if (hunks.length === before.length && hunks.every((hunk, at) => hunk === before[at]))
    return review;
  return { ...review, hunks, nextId, past: [...review.past, before], future: [] };
}

function derive({ base, hunks }: Review, applies: (hunk: Hunk) => boolean): string {
  return textOf(applyChanges(base, hunks.filter(applies)));
}

import { createHash } from "node:crypto";
import {
  applyChanges,
  type Change,
  clusters,
  diffLines,
  type Hunk,
  isShown,
  linesOf,
  openReview,
  placeShown,
  type Review,
  rebase,
  shownText,
} from "@lockstep/review";
import type { TurnFileInfo } from "../contract/turns.js";
import { type Image, modeOf, sameContent, whyLost } from "./image.js";

export type Whole = "pending" | "kept" | "undone";

/** A file that has changed in a turn: what it was, what it is, and what the person made of that. */
export interface TurnFile {
  readonly id: string;
  readonly path: string;
  /** Of a renamed one: its path before. */
  readonly from: string | null;
  readonly before: Image | null;
  readonly after: Image | null;
  readonly content: TurnFileInfo["content"];
  readonly added: number | null;
  readonly removed: number | null;
  /** What has become of it as a whole: its being there, its name, its permissions, its bytes. */
  readonly whole: Whole;
  /** Of a text: its changes, once somebody has decided on one of them, or edited the same lines. */
  readonly hunks: readonly Hunk[] | null;
  /** Hunks on lines that the person has edited as well; of a new file there is one, 0. */
  readonly yours: readonly number[];
  /** What was looked at: {@link keyOf} it then. */
  readonly seen: string | null;
  /** Where it went when it was undone, to come back from there. */
  readonly trashed: string | null;
}

export const fileId = (path: string): string =>
  createHash("sha256").update(path).digest("hex").slice(0, 20);

export function kindOf({ before, after, from, hunks }: TurnFile): TurnFileInfo["kind"] {
  if (from !== null) return "renamed";
  if (before === null) return "created";
  if (after === null) return "deleted";
  return sameContent(before, after) && !hunks ? "mode" : "edited";
}

/** Its text is decided on change by change. */
export function hasHunks(file: TurnFile): boolean {
  return file.hunks !== null || (file.content === "text" && isEdited(file));
}

/** Both sides have a text, and another one. */
const isEdited = ({ before, after }: TurnFile): boolean =>
  before !== null && after !== null && !sameContent(before, after);

/** Something besides its text has changed, or it has no text to speak of. */
export function hasWhole(file: TurnFile): boolean {
  const kind = kindOf(file);
  if (kind !== "edited") return true;
  return !hasHunks(file) || modeOf(file.before) !== modeOf(file.after);
}

/** A file without changes to decide one by one that the person has made or edited as well. */
export const isMine = (file: TurnFile): boolean =>
  file.yours.length > 0 && file.whole !== "undone" && !hasHunks(file);

/** What it is now, to know whether it was looked at since. */
export const keyOf = ({ after }: TurnFile): string =>
  after === null ? "nothing" : after.kind === "link" ? `link:${after.target}` : after.content;

/** Why nobody can undo it. */
export function lostOf(file: TurnFile): string | null {
  if (kindOf(file) === "mode" || kindOf(file) === "created") return null;
  if (kindOf(file) === "renamed" && sameContent(file.before, file.after)) return null;
  const after = kindOf(file) === "deleted" ? null : whyLost(file.after);
  return whyLost(file.before) ?? after;
}

export function stateOf(file: TurnFile): TurnFileInfo["state"] {
  const hunks = file.hunks ?? [];
  const parts: Whole[] = hunks.map(({ decision }) =>
    decision === "dropped" ? "undone" : decision === "pending" ? "pending" : "kept",
  );
  if (file.hunks === null || hasWhole(file)) parts.push(file.whole);
  const kinds = new Set(parts);
  const [only] = kinds;
  return kinds.size === 1 && only ? only : kinds.has("pending") ? "pending" : "mixed";
}

export const isDecided = (file: TurnFile): boolean =>
  file.whole !== "pending" || (file.hunks?.some(({ decision }) => decision !== "pending") ?? false);

export const hasUndone = (file: TurnFile): boolean =>
  file.whole === "undone" || (file.hunks?.some(({ decision }) => decision === "dropped") ?? false);

/** The changes of a text; those of a new or deleted file are one. */
export function reviewOf(
  file: TurnFile,
  before: string,
  after: string,
  ranges?: Int32Array,
): Review {
  const base = linesOf(before);
  const review = (hunks: readonly Hunk[]): Review => ({
    ...{ base, hunks, past: [], future: [] },
    nextId: Math.max(-1, ...hunks.map(({ id }) => id)) + 1,
  });
  if (file.before === null || file.after === null) {
    const decision = file.whole === "undone" ? "dropped" : file.whole;
    return review([{ ...wholeText(before, after), id: 0, decision }]);
  }
  if (file.hunks) return review(file.hunks);
  return openReview(before, after, ranges);
}

/** One side is empty. The empty line at the end of a text belongs to nobody. */
function wholeText(before: string, after: string): Change {
  const [old, now] = [linesOf(before), linesOf(after)];
  const ended = (before + after).endsWith("\n");
  const less = (lines: readonly string[]) => (ended ? lines.slice(0, -1) : lines);
  if (before === "") return { from: 0, to: ended ? 0 : 1, lines: less(now) };
  return { from: 0, to: less(old).length, lines: ended ? [] : now };
}

/**
 * The text is another one now: changes that are still there keep what was decided on them, those that
 * were undone stay so where nothing else is, and all others are new.
 */
export function followText(review: Review, text: string, yours: readonly number[]) {
  if (shownText(review) === text) return { review, yours };
  const found = diffLines(review.base, linesOf(text));
  const known = new Map(review.hunks.filter(isShown).map((hunk) => [keyOfHunk(hunk), hunk]));
  let { nextId } = review;
  const shown = found.map(
    (change): Hunk =>
      known.get(keyOfHunk(change)) ?? { ...change, id: nextId++, decision: "pending" },
  );
  const dropped = review.hunks.filter((hunk) => !isShown(hunk));
  const undone = clusters(dropped, shown).flatMap(({ as, bs }) => (bs.length === 0 ? as : []));
  const hunks = [...shown, ...undone].sort((a, b) => a.from - b.from || a.to - b.to);
  // Whoever writes where the person has edited does not make it any less the person's.
  const mine = review.hunks.filter(({ id }) => yours.includes(id));
  return { review: { ...review, hunks, nextId }, yours: touching(shown, mine) };
}

const keyOfHunk = ({ from, to, lines }: Change): string => `${from} ${to} ${lines.join("\n")}`;

/** The ids of those hunks that touch one of the ranges, in lines of the base. */
function touching(hunks: readonly Hunk[], ranges: readonly Change[]): readonly number[] {
  return clusters(hunks, ranges).flatMap(({ as, bs }) =>
    bs.length > 0 ? as.map(({ id }) => id) : [],
  );
}

/** The hunks that show lines which lead from one right side to this one. */
export function touchedBy(review: Review, before: string): readonly number[] {
  const after = linesOf(shownText(review));
  const changes = diffLines(after, linesOf(before));
  const placed = placeShown(review);
  return clusters(placed, changes).flatMap(({ as, bs }) =>
    bs.length > 0 ? as.map(({ hunk }) => hunk.id) : [],
  );
}

/**
 * What becomes of the text `now` if what leads from `from` to `to` is done in it as well; null where
 * the same lines have changed since.
 */
export function carryOver(from: string, to: string, now: string): string | null {
  if (now === from) return to;
  const moved = rebase(openReview(from, to), now);
  return moved.hunks.some(({ conflict }) => conflict)
    ? null
    : applyChanges(moved.base, moved.hunks).join("\n");
}

import type { ChangeSet, Text } from "@codemirror/state";
import {
  conflicts,
  decide,
  decideRest,
  diffLines,
  editLines,
  type Hunk,
  linesOf,
  openReview,
  type Review,
  rebase,
  redo,
  shownChanges,
  shownText,
  undo,
} from "@lockstep/review";
import type { HunkInfo, ReviewSnapshot, Tally } from "../contract/reviews.js";
import { WorkbenchError } from "../errors.js";
import { SharedText } from "../texts/shared-text.js";
import { diffInThread } from "./diff-thread.js";
import { hunkInfos, isDecided, tallyOf } from "./hunk-info.js";
import { lineChanges, textChanges } from "./line-changes.js";

/** Characters of both sides. Longer texts are compared in a thread of their own. */
const LARGE = 200_000;

/** A pause in typing that ends a step which undo takes back as one. */
const TYPING_MS = 400;

/** What a review is made of: a proposal that just came, or one that was kept on the disk. */
export interface ReviewSource {
  readonly base: string | null;
  readonly shown: string;
  /** Known already, of a review that was kept. */
  readonly hunks?: readonly Hunk[];
}

/**
 * What has changed: the base and with it the hunks; the hunks; how far they are computed; or only the
 * text, by somebody who is still typing.
 */
export type ReviewChange = "base" | "hunks" | "progress" | "text";

/**
 * A text under review, with its right side as a shared text that windows edit. The review value and
 * the shared text say the same whenever a decision is taken; while somebody types the value follows
 * after a pause.
 */
export class OpenReview {
  readonly shared: SharedText;
  readonly #newFile: boolean;
  #base: string;
  #review: Review | null = null;
  /** A base that came while the hunks were still being computed. */
  #nextBase: string | null = null;
  /** The right side as `#review` knows it, and what happened to it since. */
  #known: Text;
  #unseen: ChangeSet | null = null;
  #progress = 0;
  #moves = 0;
  #applying = false;
  #typing: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();
  readonly #subscription: Disposable;
  readonly #listener: (changed: ReviewChange) => void;
  /** Settles when the hunks are there, or never will be. */
  readonly ready: Promise<void>;

  constructor(
    source: ReviewSource,
    listener: (changed: ReviewChange) => void,
    report: (problem: unknown) => void = () => {},
  ) {
    const { base, shown, hunks } = source;
    this.#listener = listener;
    this.#newFile = base === null;
    this.#base = base ?? "";
    this.shared = new SharedText(shown);
    this.#known = this.shared.text;
    this.#subscription = this.shared.subscribe(({ changes }) => {
      if (this.#applying) return;
      this.#unseen = this.#unseen?.compose(changes) ?? changes;
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => {
        try {
          this.takeIn();
        } catch (problem) {
          report(problem);
        }
      }, TYPING_MS);
      this.#listener("text");
    });
    if (hunks) {
      const nextId = Math.max(-1, ...hunks.map(({ id }) => id)) + 1;
      this.#review = { base: linesOf(this.#base), hunks, nextId, past: [], future: [] };
    } else if (this.#base.length + shown.length <= LARGE) {
      this.#review = openReview(base, shown);
    }
    this.ready = this.#review ? Promise.resolve() : this.#compute(shown, report).catch(report);
  }

  get base(): string {
    return this.#nextBase ?? this.#base;
  }

  /** How often the base has moved. */
  get moves(): number {
    return this.#moves;
  }

  /** The right side as it stands. */
  get text(): string {
    return this.shared.toString();
  }

  /** 0 to 1; 1 when the hunks are there. */
  get progress(): number {
    return this.#review ? 1 : this.#progress;
  }

  get hunks(): readonly HunkInfo[] | null {
    return this.#review && hunkInfos(this.#review);
  }

  get tally(): Tally | null {
    return this.#review && tallyOf(this.#review, this.#newFile);
  }

  get canUndo(): boolean {
    return this.#review !== null && (this.#unseen !== null || this.#review.past.length > 0);
  }

  get canRedo(): boolean {
    return this.#unseen === null && (this.#review?.future.length ?? 0) > 0;
  }

  /** The person has written something of their own into it. */
  get isEdited(): boolean {
    return this.#unseen !== null || this.#someHunk(({ decision }) => decision === "edited");
  }

  /** The person has decided or written something. */
  get isTouched(): boolean {
    return this.isEdited || this.#someHunk(isDecided);
  }

  get snapshot(): ReviewSnapshot {
    this.takeIn();
    const { base, moves, hunks } = this;
    return { base, moves, shown: this.shared.snapshot, hunks };
  }

  /** What to keep of it on the disk; what is just being typed is in it, and goes on being typed. */
  get kept(): ReviewSource {
    const base = this.#newFile && this.base === "" ? null : this.base;
    const hunks = this.#nextBase === null ? this.#withTyped()?.hunks : undefined;
    return { base, shown: this.text, ...(hunks ? { hunks } : {}) };
  }

  decide(hunk: number | "rest", decision: "kept" | "dropped"): void {
    const review = this.#ready();
    if (hunk === "rest") return void this.#apply(decideRest(review, decision));
    if (!review.hunks.some(({ id }) => id === hunk)) {
      throw new WorkbenchError("This change is not there any more: look at the text as it is now.");
    }
    this.#apply(decide(review, hunk, decision));
  }

  undo(): void {
    this.#apply(undo(this.#ready()));
  }

  redo(): void {
    this.#apply(redo(this.#ready()));
  }

  /** The file under it has this text now. What the person decided stays; what meets it is in conflict. */
  moveTo(base: string): void {
    if (base === this.base) return;
    this.takeIn();
    this.#moves++;
    if (!this.#review) {
      this.#nextBase = base;
      return void this.#listener("base");
    }
    this.#base = base;
    this.#review = rebase(this.#review, base);
    this.#show(diffLines(linesOf(this.text), linesOf(shownText(this.#review))));
    this.#listener("base");
  }

  /**
   * The text that accepting means, where what is pending counts as kept; null if nothing is left of
   * the proposal. Fails where something is not decided that only the person can decide.
   */
  final(): string | null {
    this.takeIn();
    if (!this.#review && this.#nextBase !== null) {
      throw new WorkbenchError(
        "The file has changed since this was proposed, and the changes are still being compared: accept when they are shown.",
      );
    }
    const open = this.#review ? conflicts(this.#review).length : 0;
    if (open > 0) {
      const what = open === 1 ? "One change meets" : `${open} changes meet`;
      throw new WorkbenchError(
        `${what} a change of the file itself: keep or drop each of them first.`,
      );
    }
    return this.text === this.base ? null : this.text;
  }

  /** Takes in what was typed, as one step. */
  takeIn(): void {
    if (this.#take()) this.#listener("hunks");
  }

  /** False if there was nothing. */
  #take(): boolean {
    clearTimeout(this.#typing);
    if (!this.#review || !this.#unseen) return false;
    this.#review = this.#withTyped();
    this.#unseen = null;
    this.#known = this.shared.text;
    return true;
  }

  /** The review as it would be if the typing had ended; null while there are no hunks. */
  #withTyped(): Review | null {
    if (!this.#review || !this.#unseen) return this.#review;
    return editLines(this.#review, lineChanges(this.#unseen, this.#known, this.shared.text));
  }

  close(): void {
    clearTimeout(this.#typing);
    this.#closing.abort();
    this.#subscription[Symbol.dispose]();
  }

  async #compute(proposed: string, report: (problem: unknown) => void): Promise<void> {
    const tell = (fraction: number) => {
      this.#progress = fraction;
      this.#listener("progress");
    };
    const { signal } = this.#closing;
    const comparing = diffInThread(this.#base, proposed, tell, signal);
    // Without a thread it takes a moment in which everything waits; the changes are worth it.
    const ranges = await comparing.catch((problem) => void (signal.aborted || report(problem)));
    if (signal.aborted) return;
    this.#review = openReview(this.#base, proposed, ranges ?? undefined);
    this.#take();
    const moved = this.#nextBase;
    this.#nextBase = null;
    if (moved !== null) this.moveTo(moved);
    else this.#listener("hunks");
  }

  #ready(): Review {
    this.takeIn();
    if (this.#review) return this.#review;
    throw new WorkbenchError("The changes are still being compared: decide when they are shown.");
  }

  #apply(after: Review): void {
    const before = this.#ready();
    if (after === before) return;
    this.#review = after;
    this.#show(shownChanges(before, after));
    this.#listener("hunks");
  }

  #show(changes: Parameters<typeof textChanges>[0]): void {
    if (changes.length > 0) {
      this.#applying = true;
      try {
        this.shared.edit(textChanges(changes, this.shared.text), "review");
      } finally {
        this.#applying = false;
      }
    }
    this.#known = this.shared.text;
  }

  #someHunk(which: (hunk: Hunk) => boolean): boolean {
    return this.#review?.hunks.some(which) ?? false;
  }
}

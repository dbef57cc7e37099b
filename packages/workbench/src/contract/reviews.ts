import type { Uri } from "@lockstep/protocol";
import * as z from "zod/mini";
import { call } from "./call.js";
import { count, id } from "./shapes.js";
import type { TextSnapshot } from "./texts.js";

/** A proposal in the review queue, without its texts. */
export interface ProposalInfo {
  readonly id: string;
  readonly uri: Uri;
  /** The file's name. */
  readonly label: string;
  readonly place: string;
  readonly languageId: string;
  readonly agent: { readonly id: string; readonly name: string };
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly newFile: boolean;
  readonly outside: boolean;
  /**
   * "waiting": the agent waits for the answer. "orphaned": nobody waits any more (a crash, the agent
   * left); it can be read and copied, and is answered in the agent's terminal. "merge": not an
   * agent's, but the person's own edits against a file that changed underneath.
   */
  readonly kind: "waiting" | "orphaned" | "merge";
  /** The document of this file has unsaved edits. */
  readonly dirty: boolean;
  /** The file has changed since the proposal came. */
  readonly moved: boolean;
  /** Hunks by decision. Null while they are being computed; then `progress` says how far, 0 to 1. */
  readonly tally: Tally | null;
  readonly progress: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export interface Tally {
  readonly pending: number;
  readonly kept: number;
  readonly dropped: number;
  readonly edited: number;
  readonly conflicts: number;
  readonly added: number;
  readonly removed: number;
}

/** A hunk's place in the base, and how many lines it has; the lines themselves are on the right side. */
export interface HunkInfo {
  readonly id: number;
  /** Lines of the base, half-open. */
  readonly from: number;
  readonly to: number;
  readonly decision: "pending" | "kept" | "dropped" | "edited";
  /** As many lines as it has on the right side, were it shown. */
  readonly count: number;
  /** Its own lines where the right side does not show them: dropped, or in conflict. */
  readonly lines?: readonly string[];
  /** What the base had here when the proposal came. */
  readonly conflict?: readonly string[];
  /** Of a turn: why it cannot be undone, as a sentence. */
  readonly stuck?: string;
}

export interface ReviewSnapshot {
  /** "" for a new file. */
  readonly base: string;
  /** How often the base has moved: hunks belong to a base as they belong to a right side. */
  readonly moves: number;
  /** The right side, as the shared text `proposal:<id>`. */
  readonly shown: TextSnapshot;
  /** Null while they are being computed. */
  readonly hunks: readonly HunkInfo[] | null;
}

export const reviewCalls = {
  /** Also attaches this window to the right side's text. */
  "review.attach": call<ReviewSnapshot>()(z.object({ id })),
  "review.decide": call<void>()(
    z.object({
      id,
      hunk: z.union([count, z.literal("rest")]),
      decision: z.enum(["kept", "dropped"]),
    }),
  ),
  "review.undo": call<void>()(z.object({ id })),
  "review.redo": call<void>()(z.object({ id })),
  /** What is pending counts as kept. Fails where a conflict is not decided, and
   * where the base has moved more often than `moves`: then it is not what the person saw. */
  "review.accept": call<void>()(z.object({ id, moves: z.optional(count) })),
  /** Answers where the reason went: to the agent, typed at its prompt in our terminal, or nowhere. */
  "review.reject": call<{ readonly reason: "none" | "sent" | "typed" | "copy" }>()(
    z.object({ id, reason: z.optional(z.string().check(z.maxLength(10_000))) }),
  ),
  /** Takes an orphaned one, or a merge, off the queue. */
  "review.dismiss": call<void>()(z.object({ id })),
};

export interface ReviewEvents {
  /** To windows that are attached: the hunks as they are at this version of the right side. */
  "review.hunks": {
    readonly id: string;
    readonly version: number;
    readonly moves: number;
    readonly hunks: readonly HunkInfo[];
  };
  /** The base has moved. */
  "review.base": { readonly id: string; readonly base: string; readonly moves: number };
}

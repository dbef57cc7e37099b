import type { Uri } from "@lockstep/protocol";
import * as z from "zod/mini";
import { call } from "./call.js";
import type { ReviewSnapshot } from "./reviews.js";
import { count, id } from "./shapes.js";

/**
 * What has changed from a checkpoint to the next, by whomever. A prompt to an agent makes a checkpoint;
 * so does the start of Lockstep.
 */
export interface TurnInfo {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Null while it runs. */
  readonly until: number | null;
  /** Whom the prompt went to; null for what changed before the first one. */
  readonly agent: string | null;
  /** Other agents that were connected: the checkpoint is theirs as well, and so may the changes be. */
  readonly others: readonly string[];
  readonly files: number;
  /** Changed files of which only the number is known. */
  readonly cut: number;
  readonly added: number;
  readonly removed: number;
  /** Files that nobody has looked at as they are now. */
  readonly unseen: number;
  /** Files have changed, and then nothing did for a while. */
  readonly quiet: boolean;
  /** The last decision, as words; null for none. */
  readonly undo: string | null;
  readonly redo: string | null;
  /** Paths that were undone, of which the agent may remember another text. */
  readonly stale: readonly string[];
}

export interface TurnFileInfo {
  readonly id: string;
  readonly uri: Uri;
  /** From the workspace on, with slashes; safe to show. */
  readonly path: string;
  readonly label: string;
  readonly place: string;
  readonly languageId: string;
  readonly kind: "edited" | "created" | "deleted" | "renamed" | "mode";
  /** Of a renamed one: its path before. */
  readonly from: string | null;
  /** "text" is reviewed by its changes; all else is kept or undone as a whole. */
  readonly content: "text" | "binary" | "link" | "unknown";
  /** Permissions, such as "644" and "755", where they have changed. */
  readonly mode: { readonly before: string; readonly after: string } | null;
  /** Lines; null where they are not counted. */
  readonly added: number | null;
  readonly removed: number | null;
  readonly state: "pending" | "kept" | "undone" | "mixed";
  readonly seen: boolean;
  /** Why it cannot be undone at all: there is no copy of what it was. */
  readonly lost: string | null;
  /** Why nothing can be undone in it now: a conflict with the person's own edits. */
  readonly conflict: string | null;
}

/** A file of a turn, opened: its texts, or what there is to say of it without. */
export interface TurnFileView {
  readonly info: TurnFileInfo;
  /** Null for what has no text to show. The right side is the shared text `turn:<turn>:<file>`. */
  readonly review: ReviewSnapshot | null;
  /** Of links: where they led and lead. */
  readonly links: { readonly before: string | null; readonly after: string | null } | null;
}

/** What was not undone, and why: a sentence each. */
export interface TurnOutcome {
  readonly refused: readonly string[];
}

const turn = id;
const file = id;

export const turnCalls = {
  /** In the order of their paths. */
  "turn.files": call<readonly TurnFileInfo[]>()(z.object({ turn })),
  /** Also attaches this window to the text, and counts as having looked at the file. */
  "turn.attach": call<TurnFileView>()(z.object({ turn, file })),
  /**
   * Without a hunk the whole file, without a file the whole turn. What cannot be undone is refused with
   * the reasons and left as it is. "kept" brings back what was undone.
   */
  "turn.decide": call<TurnOutcome>()(
    z.object({
      turn,
      file: z.optional(file),
      hunk: z.optional(count),
      decision: z.enum(["kept", "undone"]),
    }),
  ),
  /** Takes the last decision back, or makes it again. */
  "turn.undo": call<TurnOutcome>()(z.object({ turn })),
  "turn.redo": call<TurnOutcome>()(z.object({ turn })),
  /** The agent was told: what is stale is forgotten. */
  "turn.told": call<void>()(z.object({ turn })),
  /** Out of the history; the files stay as they are. The running one stays. */
  "turn.forget": call<void>()(z.object({ turn })),
};

export interface TurnEvents {
  /** The list of this turn's files is another. */
  "turn.changed": { readonly turn: string };
}

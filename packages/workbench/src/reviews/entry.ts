import { type Agent, languageId, type Outcome } from "@lockstep/editor";
import { printable, type Uri } from "@lockstep/protocol";
import type { ProposalInfo } from "../contract/reviews.js";
import type { Draft } from "./draft.js";
import type { OpenReview } from "./open-review.js";
import { nameOf } from "./reviewed-file.js";

/** One entry of the queue. */
export interface Entry {
  readonly id: string;
  readonly uri: Uri;
  readonly agent: Agent;
  readonly since: number;
  readonly outside: boolean;
  readonly newFile: boolean;
  readonly review: OpenReview;
  kind: ProposalInfo["kind"];
  moved: boolean;
  /** Of one that waits: the agent's answer. */
  readonly settle: (outcome: Outcome) => void;
  /** Of a merge: the document's text when it began. */
  readonly mine: string | null;
}

/** An entry as windows see it. */
export function proposalInfo(
  entry: Entry,
  folders: readonly string[],
  dirty: boolean,
): ProposalInfo {
  const { id, uri, since, newFile, outside, kind, moved, review } = entry;
  const { tally, progress, canUndo, canRedo } = review;
  const { label, place } = nameOf(uri, folders);
  const open = kind !== "orphaned";
  const agent = { id: entry.agent.id, name: printable(entry.agent.name).slice(0, 100) };
  return {
    ...{ id, uri, label, place, languageId: languageId(label), agent, since, newFile, outside },
    ...{ kind, dirty, moved, tally, progress },
    canUndo: open && canUndo,
    canRedo: open && canRedo,
  };
}

/** An entry as it is kept on the disk. */
export function draftOf({ id, uri, agent, since, outside, moved, kind, review }: Entry): Draft {
  const { hunks, ...texts } = review.kept;
  const { isTouched: touched } = review;
  return {
    ...{ format: 1, id, uri, agent: { id: agent.id, name: agent.name }, since, outside, moved },
    ...{ merge: kind === "merge", touched, ...texts },
    // The engine's lists are read-only, the schema's are not.
    ...(hunks ? { hunks: hunks as Draft["hunks"] } : {}),
  };
}

import { DIFF_REJECTED, FILE_SAVED } from "@lockstep/protocol";

/** What became of a proposal. Nothing has been written: that is the agent's part. */
export type DiffAnswer =
  /** The person said yes to this text, which may differ from the proposed one. */
  | { readonly kind: "saved"; readonly text: string }
  | { readonly kind: "rejected"; readonly reason: string | null }
  /** No answer of a person's: ask in another way. `TAB_CLOSED` is one, whatever other agents make of it. */
  | { readonly kind: "undecided"; readonly said: readonly string[] };

export function readDiffAnswer(texts: readonly string[], proposed: string): DiffAnswer {
  const [word, text, reason] = texts;
  switch (word) {
    case FILE_SAVED:
      // Older servers send the word alone, which can only mean the text as it was proposed.
      return { kind: "saved", text: text ?? proposed };
    case DIFF_REJECTED:
      return { kind: "rejected", reason: reason ?? null };
    default:
      return { kind: "undecided", said: texts };
  }
}

import type { SelectionReply, WirePosition } from "@lockstep/protocol";

/** What the person has selected, or where the cursor is. */
export interface Selection {
  /** Empty where nothing is selected. */
  readonly text: string;
  readonly filePath: string | null;
  readonly fileUrl: string | null;
  /** As the editor says it: one that counts from 1 is not corrected. */
  readonly range: { readonly start: WirePosition; readonly end: WirePosition } | null;
}

export function readSelection({ text, filePath, fileUrl, selection }: SelectionReply): Selection {
  const range = selection ? { start: selection.start, end: selection.end } : null;
  return { text: text ?? "", filePath: filePath ?? null, fileUrl: fileUrl ?? null, range };
}

import type { ChangeSet, Text } from "@codemirror/state";
import type { Uri } from "@lockstep/protocol";
import type { Stamp } from "../documents/disk-file.js";
import type { Position, Range } from "./lsp.js";

/** A text that language servers know: an open document's, or a file's. */
export interface FollowedText {
  readonly uri: Uri;
  readonly languageId: string;
  readonly text: Text;
  /** Counts up with each change, whoever made it. */
  readonly version: number;
  /** What was seen of the file; null for an open document. */
  readonly stamp: Stamp | null;
}

/** One change as servers hear of it; without a range it is the whole text. */
export interface ContentChange {
  readonly range?: Range;
  readonly text: string;
}

/**
 * The last one first: then each is at the place where it was in the text before, whatever the others
 * do.
 */
export function contentChanges(before: Text, changes: ChangeSet): readonly ContentChange[] {
  const found: ContentChange[] = [];
  changes.iterChanges((from, to, _fromNow, _toNow, inserted) => {
    const range = { start: positionAt(before, from), end: positionAt(before, to) };
    found.push({ range, text: inserted.toString() });
  });
  return found.reverse();
}

export function positionAt(text: Text, offset: number): Position {
  const line = text.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

/** What is beyond a line's or the text's end is at it. */
export function offsetAt(text: Text, { line, character }: Position): number {
  if (line >= text.lines) return text.length;
  const { from, length } = text.line(line + 1);
  return from + Math.min(character, length);
}

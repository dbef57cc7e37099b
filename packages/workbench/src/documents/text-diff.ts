import type { ChangeSpec, Text } from "@codemirror/state";
import { characterChanges, diffLines } from "@lockstep/review";

/**
 * A small edit that makes `after` of `before`, so that cursors and marks in what did not change stay
 * where they are.
 */
export function diffTexts(before: Text, after: Text): ChangeSpec {
  const lines = before.toJSON();
  return characterChanges(lines, diffLines(lines, after.toJSON()));
}

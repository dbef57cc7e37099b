import { ChangeSet, type Text } from "@codemirror/state";
import { characterChanges, diffLines } from "@lockstep/review";

/** Changes that make `after` of `before` and touch little else, so that all that stands in it stays. */
export function textDifference(before: Text, after: Text): ChangeSet {
  if (before.eq(after)) return ChangeSet.empty(before.length);
  const lines = before.toJSON();
  return ChangeSet.of(characterChanges(lines, diffLines(lines, after.toJSON())), before.length);
}

import type { ChangeSet, ChangeSpec, Text } from "@codemirror/state";
import { type Change, characterChanges, diffLines, type Lines } from "@lockstep/review";

/** The review engine counts lines, the shared texts count characters: from one to the other. */

/** Which lines a change of characters changed, in order and with a line between any two. */
export function lineChanges(changes: ChangeSet, before: Text, after: Text): readonly Change[] {
  const blocks: { from: number; to: number; start: number; end: number }[] = [];
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    const from = before.lineAt(fromA).number - 1;
    const to = before.lineAt(toA).number;
    const start = after.lineAt(fromB).number - 1;
    const end = after.lineAt(toB).number;
    const last = blocks.at(-1);
    if (last && from <= last.to) Object.assign(last, { to, end });
    else blocks.push({ from, to, start, end });
  });
  return blocks.flatMap(({ from, to, start, end }) =>
    diffLines(linesIn(before, from, to), linesIn(after, start, end)).map((change) => ({
      from: change.from + from,
      to: change.to + from,
      lines: change.lines,
    })),
  );
}

/** A change of lines as one of characters. */
export function textChanges(changes: readonly Change[], text: Text): ChangeSpec {
  return characterChanges(text.toJSON(), changes);
}

function linesIn(text: Text, from: number, to: number): Lines {
  return [...text.iterLines(from + 1, to + 1)];
}

import type { ChangeSet, ChangeSpec, Text } from "@codemirror/state";
import { type Change, diffLines, type Lines } from "@lockstep/review";

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
export function textChanges(changes: readonly Change[], text: Text): readonly ChangeSpec[] {
  return changes.map(({ from, to, lines }) => {
    if (to < text.lines) {
      const insert = lines.map((line) => `${line}\n`).join("");
      return { from: text.line(from + 1).from, to: text.line(to + 1).from, insert };
    }
    if (from === 0) return { from: 0, to: text.length, insert: lines.join("\n") };
    // The last line has no line end of its own: the one before it comes and goes with it.
    const insert = lines.map((line) => `\n${line}`).join("");
    return { from: text.line(from).to, to: text.length, insert };
  });
}

function linesIn(text: Text, from: number, to: number): Lines {
  return [...text.iterLines(from + 1, to + 1)];
}

import type { Text } from "@codemirror/state";

export interface Indentation {
  readonly insertSpaces: boolean;
  /** Columns of a step; of a tab, where tabs are used. */
  readonly size: number;
}

/** Lines that are looked at: enough to tell, and quick in any text. */
const LINES = 2_000;
/** A longer line is data, not code. */
const LONGEST = 2_000;
const SIZES = [2, 4, 8, 3, 6];

/**
 * How a text is indented: by tabs or spaces, whichever more lines begin with, and by the step that
 * most often leads from one line to a deeper one. What the text does not tell comes from `fallback`.
 */
export function detectIndentation(text: Text, fallback: Indentation): Indentation {
  const steps = new Map<number, number>();
  let tabs = 0;
  let spaces = 0;
  let above = 0;
  for (const line of text.iterLines(1, Math.min(text.lines, LINES) + 1)) {
    if (line.length > LONGEST || line.trim() === "") continue;
    const width = /^ */.exec(line)?.[0].length ?? 0;
    if (line.startsWith("\t")) tabs++;
    // A single space is the star of a comment.
    else if (width > 1) spaces++;
    const step = width - above;
    if (step > 1 && !line.startsWith("\t")) steps.set(step, (steps.get(step) ?? 0) + 1);
    above = width;
  }
  if (tabs > spaces) return { insertSpaces: false, size: fallback.size };
  if (spaces === 0) return fallback;
  const [best] = [...SIZES].sort((a, b) => (steps.get(b) ?? 0) - (steps.get(a) ?? 0));
  const known = best !== undefined && (steps.get(best) ?? 0) > 0;
  return { insertSpaces: true, size: known ? best : fallback.size };
}

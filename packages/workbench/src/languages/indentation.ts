import type { Text } from "@codemirror/state";

export interface Indentation {
  readonly tabSize: number;
  readonly insertSpaces: boolean;
}

/** So many lines show how a file is indented. */
const LINES = 1_000;

/** How a text is indented; as `usual` says where it does not show. */
export function indentationOf(text: Text, usual: Indentation): Indentation {
  let tabs = 0;
  const widths = new Map<number, number>();
  let before = 0;
  let looked = 0;
  for (const line of text.iterLines(1, Math.min(text.lines, LINES) + 1)) {
    if (++looked > LINES) break;
    if (line.trim() === "") continue;
    if (line.startsWith("\t")) tabs++;
    const width = /^ */.exec(line)?.[0].length ?? 0;
    const step = width - before;
    if (step > 1 && step <= 8) widths.set(step, (widths.get(step) ?? 0) + 1);
    before = width;
  }
  const spaces = [...widths.values()].reduce((sum, count) => sum + count, 0);
  if (tabs > spaces) return { tabSize: usual.tabSize, insertSpaces: false };
  const [best] = [...widths].sort(([, a], [, b]) => b - a);
  return best ? { tabSize: best[0], insertSpaces: true } : usual;
}

import { printable } from "@lockstep/protocol";
import type { FileProblems, Problem, ProblemCounts } from "@lockstep/workbench/contract";
import { shownText } from "../design/shown-text.js";
import { type FileHead, fileHead } from "../files/file-head.js";

export interface ProblemFilter {
  /** Letters of a message, a source, a code or a path. */
  readonly text: string;
  readonly errors: boolean;
  readonly warnings: boolean;
  readonly informations: boolean;
  /** The one file that is looked at; null for all. */
  readonly only: string | null;
}

export type ProblemRow =
  | FileHead<FileProblems>
  | {
      readonly kind: "problem";
      readonly file: FileProblems;
      readonly problem: Problem;
      /** In one line. */
      readonly message: string;
    }
  /** As many problems of the file are not told one by one. */
  | { readonly kind: "more"; readonly file: FileProblems; readonly count: number };

const SHOWN_BY: Readonly<Record<Problem["severity"], keyof ProblemCounts>> = {
  error: "errors",
  warning: "warnings",
  information: "informations",
  hint: "informations",
};

/** Files with errors first, then by path; in a file as they stand in it. */
export function problemRows(
  files: readonly FileProblems[],
  filter: ProblemFilter,
  closed: ReadonlySet<string>,
): readonly ProblemRow[] {
  return [...files]
    .filter(({ uri }) => filter.only === null || uri === filter.only)
    .sort(inOrder)
    .flatMap((file) => rowsOf(file, filter, closed));
}

function inOrder(a: FileProblems, b: FileProblems): number {
  const worse = Number(b.counts.errors > 0) - Number(a.counts.errors > 0);
  return worse || (a.path < b.path ? -1 : 1);
}

function rowsOf(
  file: FileProblems,
  filter: ProblemFilter,
  closed: ReadonlySet<string>,
): readonly ProblemRow[] {
  const shown = file.items.filter((problem) => passes(file, problem, filter));
  if (shown.length === 0) return [];
  const head = fileHead(file, shown.length + file.more, closed);
  if (!head.open) return [head];
  const rows = [...shown].sort(byPlace).map(
    (problem): ProblemRow => ({
      kind: "problem",
      file,
      problem,
      message: shownText(problem.message.replaceAll(/\s*\n\s*/g, " ")),
    }),
  );
  return file.more > 0
    ? [head, ...rows, { kind: "more", file, count: file.more }]
    : [head, ...rows];
}

const byPlace = ({ range: { start: a } }: Problem, { range: { start: b } }: Problem): number =>
  a.line - b.line || a.character - b.character;

function passes(file: FileProblems, problem: Problem, filter: ProblemFilter): boolean {
  // A hint that only fades what is unnecessary is help in the text, not something to list.
  if (problem.severity === "hint" && (problem.tags?.length ?? 0) > 0) return false;
  if (!filter[SHOWN_BY[problem.severity]]) return false;
  const wanted = filter.text.trim().toLowerCase();
  if (wanted === "") return true;
  const { message, source = "", code = "" } = problem;
  return [message, source, code, file.path].some((text) => text.toLowerCase().includes(wanted));
}

/** "ts(2322)" as people write who says it. */
export function sourceOf({ source, code }: Problem): string {
  if (code === undefined) return printable(source ?? "");
  return printable(source === undefined ? code : `${source}(${code})`);
}

/** All that is said of it, for the clipboard. */
export function problemText(file: FileProblems, problem: Problem): string {
  const { line, character } = problem.range.start;
  const source = sourceOf(problem);
  const about = `${file.path}:${line + 1}:${character + 1}`;
  return `${about} ${problem.severity}: ${problem.message}${source && ` ${source}`}`;
}

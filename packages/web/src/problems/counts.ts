import { filePath, type Uri } from "@lockstep/protocol";
import { MOST_PROBLEM_FILES, type ProblemCounts } from "@lockstep/workbench/contract";
import { createMemo, createRoot } from "solid-js";
import { allProblems, problemsOf } from "./all-problems.js";
import { type Mark, markOf, marksByPath } from "./marks.js";

const { total, marks } = createRoot(() => ({
  total: createMemo((): ProblemCounts => {
    const sum = (name: keyof ProblemCounts) =>
      allProblems().reduce((count, { counts }) => count + counts[name], 0);
    return {
      errors: sum("errors"),
      warnings: sum("warnings"),
      informations: sum("informations"),
    };
  }),
  marks: createMemo(() =>
    marksByPath(
      allProblems().flatMap((file) => {
        const path = filePath(file.uri);
        const mark = markOf(file);
        return path !== null && mark ? [{ path, mark }] : [];
      }),
    ),
  ),
}));

/** In all files together. */
export const totalCounts = total;

/** "1,200", or "1,200+" where there are files with problems that nobody has counted here. */
export function totalWords(name: keyof ProblemCounts): string {
  const isCut = allProblems().length >= MOST_PROBLEM_FILES;
  return `${total()[name].toLocaleString("en")}${isCut ? "+" : ""}`;
}

export const markAt = (path: string): Mark | null => marks().get(path) ?? null;

export function markOfDocument(uri: Uri): Mark | null {
  const file = problemsOf(uri);
  return file && markOf(file);
}

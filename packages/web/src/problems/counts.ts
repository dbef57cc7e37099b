import { filePath, type Uri } from "@lockstep/protocol";
import { createMemo, createRoot } from "solid-js";
import { allProblems, problemsOf } from "./all-problems.js";
import { type Counts, countsOf, type Mark, markOf, marksByPath } from "./marks.js";

const { total, marks } = createRoot(() => ({
  total: createMemo((): Counts => {
    const all = allProblems().map(countsOf);
    const sum = (name: keyof Counts) => all.reduce((count, counts) => count + counts[name], 0);
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

export const markAt = (path: string): Mark | null => marks().get(path) ?? null;

export function markOfDocument(uri: Uri): Mark | null {
  const file = problemsOf(uri);
  return file && markOf(file);
}

import type { FileProblems, Problem } from "@lockstep/workbench/contract";
import { parentPath } from "../files/paths.js";

export interface Counts {
  readonly errors: number;
  readonly warnings: number;
  readonly informations: number;
}

/** What is worth a mark beside a name. */
export type Mark = { readonly severity: "error" | "warning"; readonly count: number };

const counted = new WeakMap<FileProblems, Counts>();

/** Hints are counted nowhere: they are help, not problems. */
export function countsOf(file: FileProblems): Counts {
  const known = counted.get(file);
  if (known) return known;
  const count = (severity: Problem["severity"]) =>
    file.items.filter((item) => item.severity === severity).length;
  const counts = {
    errors: count("error"),
    warnings: count("warning"),
    informations: count("information"),
  };
  counted.set(file, counts);
  return counts;
}

export function markOf(file: FileProblems): Mark | null {
  const { errors, warnings } = countsOf(file);
  if (errors > 0) return { severity: "error", count: errors };
  return warnings > 0 ? { severity: "warning", count: warnings } : null;
}

/** For each file with a mark and each folder above it, by path. */
export function marksByPath(
  files: readonly { readonly path: string; readonly mark: Mark }[],
): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const { path, mark } of files) {
    marks.set(path, mark);
    for (let at = parentPath(path); !isRoot(at); at = parentPath(at)) {
      const known = marks.get(at);
      const count = (known?.count ?? 0) + mark.count;
      const worse = known?.severity === "error" ? known.severity : mark.severity;
      marks.set(at, { severity: worse, count });
    }
  }
  return marks;
}

const isRoot = (path: string): boolean => parentPath(path) === path;

/** "2 errors", "1 warning": for those who do not see the colours. */
export function markWords({ severity, count }: Mark): string {
  return `${count.toLocaleString("en")} ${severity}${count === 1 ? "" : "s"}`;
}

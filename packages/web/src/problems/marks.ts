import type { FileProblems } from "@lockstep/workbench/contract";
import { parentPath } from "../files/paths.js";

/** What is worth a mark beside a name. */
export type Mark = { readonly severity: "error" | "warning"; readonly count: number };

export function markOf({ counts: { errors, warnings } }: FileProblems): Mark | null {
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

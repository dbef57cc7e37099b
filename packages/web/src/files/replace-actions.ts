import type { SearchFile } from "@lockstep/workbench/contract";
import { ask, showProblem, showToast } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { undoFileOperation } from "./file-actions.js";
import { matchesIn } from "./search-rows.js";
import { found, matchCount, query, replacement, search, status } from "./search-state.js";

/** "1 match in 1 file", "12 matches in 3 files". */
export function counts(matches: number, files: number): string {
  const many = (number: number, word: string, words: string) =>
    `${number.toLocaleString("en")} ${number === 1 ? word : words}`;
  return `${many(matches, "match", "matches")} in ${many(files, "file", "files")}`;
}

export async function replaceInAll(): Promise<void> {
  const now = status();
  if (now.kind === "running" || found().length === 0) return;
  const rest =
    now.kind === "done" && now.end.cut ? " There are more files, which are not shown." : "";
  await replace(found(), counts(matchCount(), found().length), rest);
}

export async function replaceInOne(file: SearchFile): Promise<void> {
  await replace([file], `${counts(matchesIn(file), 1)}, ${file.path},`, "");
}

async function replace(files: readonly SearchFile[], what: string, rest: string): Promise<void> {
  const order = { query: query(), replacement: replacement(), uris: files.map(({ uri }) => uri) };
  const dirty = files.filter(({ uri }) => state().documents[uri]).length;
  const open = dirty > 0 ? " Open files are edited and stay unsaved." : "";
  const by = order.replacement === "" ? "nothing" : `“${order.replacement}”`;
  const answer = await ask({
    title: order.replacement === "" ? "Delete what was found?" : "Replace?",
    text: `${what} will be replaced by ${by}.${open}${rest}`,
    choices: [{ answer: "replace", label: "Replace", kind: "primary" }],
  });
  if (answer === null) return;
  try {
    const done = await call("search.replace", order);
    const canUndo = state().fileUndo?.startsWith("Replace") ?? false;
    showToast({
      text: `Replaced ${counts(done.matches, done.files)}`,
      ...(canUndo ? { action: { label: "Undo", run: undo } } : {}),
    });
  } catch (problem) {
    showProblem(problem);
  }
  await search();
}

const undo = () => void undoFileOperation().then(search);

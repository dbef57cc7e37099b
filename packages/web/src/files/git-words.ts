import type { GitState } from "@lockstep/workbench/contract";

/** A letter and a word for each state, so that nobody has to tell colours apart. */
export const GIT_WORDS: Readonly<Record<GitState, { letter: string; word: string }>> = {
  modified: { letter: "M", word: "modified" },
  added: { letter: "A", word: "added" },
  untracked: { letter: "U", word: "untracked" },
  deleted: { letter: "D", word: "deleted" },
  renamed: { letter: "R", word: "renamed" },
  conflicted: { letter: "C", word: "conflict" },
};

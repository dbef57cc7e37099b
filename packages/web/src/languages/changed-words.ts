import type { Changed } from "@lockstep/workbench/contract";

const many = (count: number, word: string) =>
  `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

/** "3 places in 2 files". */
export const changedWords = ({ edits, files }: Changed): string =>
  `${many(edits, "place")} in ${many(files, "file")}`;

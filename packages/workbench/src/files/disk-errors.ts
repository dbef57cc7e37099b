import { WorkbenchError } from "../errors.js";

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "you are not allowed to. Change its permissions, or those of the folder above it",
  EPERM: "the system does not allow it. Change its permissions, or those of the folder above it",
  EROFS: "this disk is read-only",
  ENOSPC: "the disk is full. Free some space and try again",
  EDQUOT: "your share of the disk is used up. Free some space and try again",
  ENOENT: "it is not there any more",
  ENOTDIR: "a part of the path above it is not a folder",
  ENOTEMPTY: "the folder is not empty",
  EEXIST: "there is something of that name already. Choose another name",
  EINVAL: "a folder cannot be moved into itself",
  ENAMETOOLONG: "the name is too long. Choose a shorter one",
  EBUSY: "it is in use. Close what uses it and try again",
  EMFILE: "too many files are open on this machine. Close some programs and try again",
  ELOOP: "its links lead in a circle",
};

export function codeOf(problem: unknown): string | undefined {
  return problem instanceof Error ? (problem as NodeJS.ErrnoException).code : undefined;
}

/** A sentence of what the disk refused: "notes.md could not be deleted: the disk is full…". */
export function refusal(what: string, problem: unknown): WorkbenchError {
  if (problem instanceof WorkbenchError) return problem;
  const code = codeOf(problem);
  const reason = (code && REASONS[code]) ?? code ?? String(problem);
  return new WorkbenchError(`${what}: ${reason}.`);
}

export const isAbsent = (problem: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes(codeOf(problem) ?? "");

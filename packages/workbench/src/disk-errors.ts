import { printable } from "@lockstep/protocol";
import { WorkbenchError } from "./errors.js";

/** What the system's codes mean, in the middle of a sentence, and what a person can do then. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "you are not allowed to. Change its permissions, or those of the folder above it",
  EPERM: "the system does not allow it. Change its permissions, or those of the folder above it",
  EROFS: "this disk is read-only",
  ENOSPC: "the disk is full. Free some space and try again",
  EDQUOT: "your share of the disk is used up. Free some space and try again",
  ENOENT: "it is not there any more",
  ENOTDIR: "a part of the path above it is not a folder",
  ENOTEMPTY: "the folder is not empty",
  EISDIR: "there is a folder of that name",
  EEXIST: "there is something of that name already. Choose another name",
  EINVAL: "a folder cannot be moved into itself",
  ENAMETOOLONG: "the name is too long. Choose a shorter one",
  EBUSY: "it is in use. Close what uses it and try again",
  ETXTBSY: "it is running as a program. End that and try again",
  EFBIG: "it is larger than this disk allows",
  EMFILE: "too many files are open on this machine. Close some programs and try again",
  ELOOP: "it is a link that leads back to itself",
  ENXIO: "it is not an ordinary file",
};

export type SystemError = Error & { readonly code: string };

export function isSystemError(problem: unknown): problem is SystemError {
  return problem instanceof Error && typeof (problem as NodeJS.ErrnoException).code === "string";
}

export const hasCode = (problem: unknown, ...codes: string[]): boolean =>
  isSystemError(problem) && codes.includes(problem.code);

export const isAbsent = (problem: unknown): boolean => hasCode(problem, "ENOENT", "ENOTDIR");

/** A sentence of what the disk refused: "notes.md could not be deleted: the disk is full…". */
export function refusal(what: string, problem: unknown): WorkbenchError {
  if (problem instanceof WorkbenchError) return problem;
  const reason = isSystemError(problem)
    ? (REASONS[problem.code] ?? problem.code)
    : String(problem).replace(/\.$/, "");
  return new WorkbenchError(`${what}: ${reason}.`);
}

/** Why a file could not be read, and what to do. */
export const whyUnread = (path: string, problem: unknown): string =>
  refusal(`${printable(path)} cannot be read`, problem).message;

/** Why a file could not be written, and what to do; the edits are still in the document. */
export function whyUnsaved(path: string, problem: unknown): string {
  if (problem instanceof WorkbenchError) return problem.message;
  const name = printable(path);
  const why = hasCode(problem, "ENOENT")
    ? `${name} was not saved: the folder above it is not there any more.`
    : refusal(`${name} was not saved`, problem).message;
  return `${why} Your edits are kept here; you can also save them under another name.`;
}

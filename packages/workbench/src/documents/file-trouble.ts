import { printable } from "@lockstep/protocol";
import { WorkbenchError } from "../errors.js";

export type SystemError = Error & { readonly code: string };

export function isSystemError(problem: unknown): problem is SystemError {
  return problem instanceof Error && typeof (problem as NodeJS.ErrnoException).code === "string";
}

export const hasCode = (problem: unknown, ...codes: string[]): boolean =>
  isSystemError(problem) && codes.includes(problem.code);

/** Why a file could not be read, and what to do. */
export function whyUnread(path: string, problem: unknown): string {
  const name = printable(path);
  if (!isSystemError(problem)) return `${name} cannot be read: ${String(problem)}.`;
  return READING[problem.code]?.(name) ?? `${name} cannot be read (${problem.code}).`;
}

/** Why a file could not be written, and what to do; the edits are still in the document. */
export function whyUnsaved(path: string, problem: unknown): string {
  if (problem instanceof WorkbenchError) return problem.message;
  const name = printable(path);
  if (!isSystemError(problem)) return `${name} could not be saved: ${String(problem)}.`;
  return WRITING[problem.code]?.(name) ?? `${name} could not be saved (${problem.code}).`;
}

type Sentence = (name: string) => string;

const tooLong: Sentence = (name) => `${name} is too long for the name of a file.`;
const loop: Sentence = (name) => `${name} is a link that leads back to itself.`;

const READING: Readonly<Record<string, Sentence>> = {
  EACCES: (name) => `You may not read ${name}: change its permissions and open it again.`,
  EPERM: (name) => `You may not read ${name}: change its permissions and open it again.`,
  ELOOP: loop,
  ENAMETOOLONG: tooLong,
  ENXIO: (name) => `${name} is not an ordinary file.`,
  EMFILE: (name) => `${name} cannot be read: too many files are open. Close some and try again.`,
};

const full: Sentence = (name) =>
  `The disk is full, so ${name} was not saved. Make room and save again; your edits are kept here.`;
const forbidden: Sentence = (name) =>
  `You may not write ${name}: change its permissions, or save under another name.`;

const WRITING: Readonly<Record<string, Sentence>> = {
  ENOSPC: full,
  EDQUOT: (name) =>
    `Your share of the disk is used up, so ${name} was not saved. Make room and save again; your edits are kept here.`,
  EROFS: (name) => `${name} is on a disk that is read-only: save it under another name.`,
  EACCES: forbidden,
  EPERM: forbidden,
  ENOENT: (name) =>
    `The folder of ${name} is not there any more: make it again, or save under another name.`,
  ENOTDIR: (name) =>
    `What should be the folder of ${name} is not a folder: save under another name.`,
  EISDIR: (name) => `There is a folder called ${name}: save under another name.`,
  ETXTBSY: (name) => `${name} is running as a program: end it and save again.`,
  EFBIG: (name) => `${name} is larger than this disk allows: save it elsewhere.`,
  ELOOP: loop,
  ENAMETOOLONG: tooLong,
};

import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import { printable } from "@lockstep/protocol";
import { UsageError } from "./command.js";
import { REDACTED, withoutLockTokens } from "./lock-tokens.js";

/** What `--verbose` and `--log FILE` ask for. */
export interface LogWishes {
  readonly verbose: boolean;
  readonly file: string | undefined;
}

const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** A log that was there before keeps its lines, if it is nobody else's to read. */
function openLogFile(path: string): number {
  let file: number | null = null;
  try {
    file = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600);
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error("it is not an ordinary file");
    if (process.getuid && stats.uid !== process.getuid()) throw new Error("another user owns it");
    if ((stats.mode & 0o077) !== 0) throw new Error(`others may read it; chmod 600 ${path}`);
    return file;
  } catch (error) {
    if (file !== null) closeSync(file);
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw new UsageError(`The log cannot be written to ${path}: ${REASONS[why] ?? why}`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  EACCES: "it is not yours to write",
  ELOOP: "it is a link",
  ENXIO: "it is a pipe",
  EISDIR: "it is a folder",
};

/**
 * What a command does, for a person who wants to know more: on standard error, or in a file as JSON
 * lines. No token is ever in it.
 */
export class Log implements Disposable {
  readonly #verbose: boolean;
  readonly #file: number | null;
  readonly #secrets = new Set<string>();

  constructor({ verbose, file }: LogWishes) {
    this.#verbose = verbose;
    // For this user only: what editors tell is not for others.
    this.#file = file === undefined ? null : openLogFile(file);
  }

  /** From now on this text is not written. */
  hide(secret: string): void {
    if (secret !== "") this.#secrets.add(secret);
  }

  note(what: string, detail = ""): void {
    if (!this.#verbose && this.#file === null) return;
    const shown = this.#redacted(detail);
    if (this.#verbose) console.error(printable(detail === "" ? what : `${what}  ${shown}`));
    if (this.#file === null) return;
    const line = JSON.stringify({ time: new Date().toISOString(), what, detail: shown });
    writeSync(this.#file, `${line}\n`);
  }

  [Symbol.dispose](): void {
    if (this.#file !== null) closeSync(this.#file);
  }

  #redacted(text: string): string {
    let shown = withoutLockTokens(text);
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, REDACTED);
    return shown;
  }
}

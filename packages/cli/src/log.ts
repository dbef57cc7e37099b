import { closeSync, constants, openSync, writeSync } from "node:fs";
import { printable } from "@lockstep/protocol";

/** What `--verbose` and `--log FILE` ask for. */
export interface LogWishes {
  readonly verbose: boolean;
  readonly file: string | undefined;
}

const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
const HIDDEN = "[token]";

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
    this.#file =
      file === undefined ? null : openSync(file, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
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
    let shown = text.replace(/("authToken"\s*:\s*)"(?:[^"\\]|\\.)*"/g, `$1"${HIDDEN}"`);
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, HIDDEN);
    return shown;
  }
}

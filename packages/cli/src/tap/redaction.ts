import { REDACTED, withoutLockTokens } from "../lock-tokens.js";
import { HOME, placeholder } from "./recording.js";

/** Shorter ones are words that occur by chance, and protect nothing. */
const SHORTEST_TOKEN = 8;

interface Mark {
  readonly text: string;
  readonly becomes: string;
  /** Whether it is part of a longer name where a letter follows. */
  readonly isPath: boolean;
}

/** Takes tokens, and for a portable recording this machine's paths, out of what is written down. */
export class Redaction {
  #marks: readonly Mark[] = [];

  /** From now on this token is not written. In a JSON text it may stand with its escapes. */
  hide(token: string): void {
    if (token.length < SHORTEST_TOKEN) return;
    for (const text of spellings(token)) this.#add({ text, becomes: REDACTED, isPath: false });
  }

  /** Writes placeholders for the folders of the workspace and for the home folder. */
  makePortable(folders: readonly string[], home: string): void {
    for (const [index, folder] of folders.entries()) this.#addPath(folder, placeholder(index));
    this.#addPath(home, HOME);
  }

  apply(text: string): string {
    let result = withoutLockTokens(text);
    for (const mark of this.#marks) {
      // Most frames have none of them, and looking is much cheaper than replacing.
      if (!result.includes(mark.text)) continue;
      result = mark.isPath
        ? result.replace(wholePath(mark.text), () => mark.becomes)
        : result.replaceAll(mark.text, () => mark.becomes);
    }
    return result;
  }

  /** Bytes that are no text may hold one, too. */
  applyToBytes(bytes: Buffer): Buffer {
    return Buffer.from(this.apply(bytes.toString("latin1")), "latin1");
  }

  #addPath(path: string, becomes: string): void {
    if (path.length < 2) return;
    for (const text of [...spellings(path), encodeURI(path)])
      this.#add({ text, becomes, isPath: true });
  }

  /** Longest first, so that a folder inside of another is not cut in two. */
  #add(mark: Mark): void {
    if (this.#marks.some(({ text }) => text === mark.text)) return;
    this.#marks = [...this.#marks, mark].sort((a, b) => b.text.length - a.text.length);
  }
}

/** As it is, as JSON writes it, with `/` escaped or not, and as JSON in a JSON text. */
function spellings(text: string): readonly string[] {
  const escaped = (plain: string) => JSON.stringify(plain).slice(1, -1);
  const once = [escaped(text), escaped(text).replaceAll("/", "\\/")];
  return [...new Set([text, ...once, ...once.map(escaped)])];
}

/** `/p` is not in `/project`, but it is in `/p/a.ts` and in `"/p"`. */
export function wholePath(path: string): RegExp {
  return new RegExp(`${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-]|\\.\\w)`, "g");
}

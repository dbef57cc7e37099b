import { relative, resolve } from "node:path";
import { isWithin } from "@lockstep/protocol";
import ignore, { type Ignore } from "ignore";

/** Patterns in the syntax of .gitignore, about the files below one folder. */
export class PathRules {
  readonly #folder: string;
  readonly #rules: Ignore;

  constructor(folder: string, patterns: string | readonly string[]) {
    this.#folder = folder;
    // Names that differ in case alone may be one file, so a rule for one is a rule for both.
    this.#rules = ignore({ ignorecase: true }).add(patterns);
  }

  /** "excepted" for what an earlier pattern would match and a later one takes out. */
  match(path: string): "matched" | "excepted" | "untouched" {
    // A path with ".." in it may begin inside and end outside.
    const plain = resolve(path);
    if (!isWithin(plain, this.#folder) || plain === this.#folder) return "untouched";
    // A folder is told by its final slash, which is gone by now.
    const name = relative(this.#folder, plain) + (path.endsWith("/") ? "/" : "");
    const { ignored, unignored } = this.#rules.test(name);
    if (ignored) return "matched";
    return unignored ? "excepted" : "untouched";
  }
}

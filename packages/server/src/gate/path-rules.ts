import { relative } from "node:path";
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
    if (!isWithin(path, this.#folder) || path === this.#folder) return "untouched";
    // A folder is told by its final slash, which `relative` takes away.
    const name = relative(this.#folder, path) + (path.endsWith("/") ? "/" : "");
    const { ignored, unignored } = this.#rules.test(name);
    if (ignored) return "matched";
    return unignored ? "excepted" : "untouched";
  }
}

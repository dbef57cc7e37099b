import ignore from "ignore";
import type { SearchQuery } from "../contract/files.js";
import { WorkbenchError } from "../errors.js";

/** What ripgrep is told to look for. The text of the person is always behind a `-e` or a `=`. */
export function patternArgs(query: SearchQuery): string[] {
  const { text, regex, caseSensitive, wholeWord } = query;
  if (text.includes("\0"))
    throw new WorkbenchError("Text with a NUL in it cannot be searched for.");
  const multiline = regex ? /\n|\\n/.test(text) : text.includes("\n");
  return [
    caseSensitive ? "--case-sensitive" : "--ignore-case",
    ...(wholeWord ? ["--word-regexp"] : []),
    ...(multiline ? ["--multiline"] : []),
    // Fixed strings would take each line for a text of its own.
    ...(regex || multiline ? [] : ["--fixed-strings"]),
    "-e",
    multiline ? anyLineEnd(regex ? text : escapeRegex(text)) : text,
  ];
}

const escapeRegex = (text: string) => text.replace(/[\\^$.*+?()[\]{}|&~#-]/g, "\\$&");

/** A line may end with CR LF on disk, whatever the pattern says; in a set of characters it stays. */
function anyLineEnd(pattern: string): string {
  let inSet = false;
  return pattern.replace(/\\n|\\.|\r?\n|[[\]]/gs, (token) => {
    if (token === "[") inSet = true;
    if (token === "]") inSet = false;
    const isEnd = token === "\\n" || token.endsWith("\n");
    return isEnd && !inSet ? "\\r?\\n" : token;
  });
}

/** `$1` and `$&` as JavaScript writes them, in the spelling of ripgrep; `\n` and `\t` are meant. */
export function replacementTemplate(replacement: string): string {
  if (replacement.includes("\0")) {
    throw new WorkbenchError("Text with a NUL in it cannot be put into a text file.");
  }
  if (replacement.length > 30_000) {
    throw new WorkbenchError("The replacement of a regular expression is too long: shorten it.");
  }
  return replacement.replace(
    /\\([nt\\])|\$(?:(\d{1,2})|(&)|(\$)|\{(\w+)\}|<(\w+)>)?/g,
    (_, escaped, group, whole, dollar, braced, named) => {
      if (escaped) return { n: "\n", t: "\t" }[escaped as string] ?? "\\";
      if (dollar) return "$$";
      const name = whole ? "0" : (group ?? braced ?? named);
      return name === undefined ? "$$" : `\${${name}}`;
    },
  );
}

/** The globs of one box: separated by commas, but not by those in braces. */
function globsOf(text: string): readonly string[] {
  const parts = text.match(/(?:\{[^}]*\}|[^,{]|\{)+/g) ?? [];
  return parts
    .map((part) => part.trim().replace(/^\.\//, "/").replace(/^!/, "").replace(/\/$/, ""))
    .filter((part) => part !== "");
}

/** "src" means the folder wherever it is and all in it, "*.ts" each such file. */
function widened(globs: readonly string[]): readonly string[] {
  return globs.flatMap((glob) => {
    const anywhere = glob.startsWith("/") || glob.startsWith("**/") ? glob : `**/${glob}`;
    return [anywhere, `${anywhere}/**`];
  });
}

export function globArgs({ include, exclude }: SearchQuery): string[] {
  return [
    ...widened(globsOf(include)).map((glob) => `--glob=${glob}`),
    ...widened(globsOf(exclude)).map((glob) => `--glob=!${glob}`),
  ];
}

/** The same choice for a file that ripgrep does not read itself. */
export function isWanted({ include, exclude }: SearchQuery, path: string): boolean {
  const matches = (globs: readonly string[]) =>
    ignore()
      .add([...widened(globs)])
      .ignores(path);
  const included = globsOf(include);
  return (included.length === 0 || matches(included)) && !matches(globsOf(exclude));
}

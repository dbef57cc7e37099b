import { rgPath } from "@vscode/ripgrep";
import { WorkbenchError } from "../errors.js";
import { type Outcome, type RunOptions, run } from "./process.js";

/**
 * Always: no settings of the person's own (they could name programs to run), hidden files too, but
 * nothing of git's; a .gitignore counts without a repository also.
 */
const ALWAYS = ["--no-config", "--no-messages", "--hidden", "--no-require-git", "--glob=!.git"];

/** Runs ripgrep. Fails with a sentence where the pattern or a glob is wrong. */
export async function ripgrep(args: readonly string[], options: RunOptions): Promise<Outcome> {
  const outcome = await run(rgPath, [...ALWAYS, ...args], options).catch((problem: unknown) => {
    throw new WorkbenchError(`Searching is not possible: ripgrep did not start (${problem}).`);
  });
  if (outcome.code === 2) {
    const why = complaint(outcome.stderr);
    if (why !== null) throw new WorkbenchError(why);
  }
  return outcome;
}

/** What ripgrep says of a wrong pattern; null if it only could not read a file. */
function complaint(stderr: string): string | null {
  const text = stderr.trim();
  if (text === "") return null;
  const error = /^error: (.*)$/m.exec(text)?.[1];
  if (/regex parse error/.test(text) && error) return `The pattern is not valid: ${error}.`;
  if (/error parsing glob|glob/.test(text)) return `A file filter is not valid: ${last(text)}.`;
  if (/size limit/.test(text)) return "The pattern is too large: make its repetitions smaller.";
  if (/not allowed in a regex/.test(text)) {
    return "The pattern spans lines in a way that cannot be searched: write \\n where a line ends.";
  }
  return `The search failed: ${last(text)}.`;
}

const last = (text: string) =>
  (text.split("\n").at(-1) ?? text).replace(/^rg: |^error: /, "").replace(/\.$/, "");

import { delimiter } from "node:path";
import { findProgram, programFolders } from "../languages/programs.js";
import { type Outcome, run } from "./process.js";

/** A repository can make git wait for ever: by a pipe in the place of a .gitignore, for one. */
const LONGEST_MS = 60_000;

/** Looks without touching: takes no lock, so no hook runs, and asks no monitor that the repository names. */
const QUIET = [
  "--no-optional-locks",
  ...["-c", "core.fsmonitor=false"],
  ...["-c", "core.untrackedCache=keep"],
  // A folder that is made to look like a repository without a work tree is none.
  ...["-c", "safe.bareRepository=explicit"],
];

/** Runs git in one folder. */
export interface Git {
  (...args: readonly string[]): Promise<Outcome>;
  /** The same, with something to read. */
  feed(input: string | Buffer, ...args: readonly string[]): Promise<Outcome>;
}

/**
 * A git that only looks: it starts no program that the repository's own settings name, because the
 * folder may come from a stranger. Null where there is no git, or where it cannot be held back.
 */
export async function quietGit(folder: string, signal: AbortSignal): Promise<Git | null> {
  // Not by its name alone: the folder may have a program called git, and PATH may lead into it.
  const folders = await programFolders(process.env, [folder]);
  const program = await findProgram("git", folders, [folder]);
  if (program === null) return null;
  const env = gitEnv(folders);
  const git = (...before: readonly string[]): Git => {
    const feed: Git["feed"] = (input, ...args) =>
      run(program, [...QUIET, ...before, ...args], {
        ...{ cwd: folder, env, input },
        signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
      });
    return Object.assign((...args: readonly string[]) => feed("", ...args), { feed });
  };
  const filters = await filterSettings(git());
  return filters && git(...filters.flatMap((setting) => ["-c", setting]));
}

/** Filters are programs that git runs on a file's content to see whether it has changed. */
const FILTERS = "^filter\\..*\\.(clean|process|required)$";
const THE_REPOSITORYS: ReadonlySet<string> = new Set(["local", "worktree"]);

/** For each setting of a filter that the repository makes: what it would be without. */
async function filterSettings(git: Git): Promise<readonly string[] | null> {
  const { code, stdout } = await git("config", "--show-scope", "-z", "--get-regexp", FILTERS);
  // 1: there are none.
  if (code !== 0 && code !== 1) return null;
  const fields = stdout.toString().split("\0");
  const persons = new Map<string, string>();
  const repositorys = new Set<string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [key = "", ...value] = (fields[at + 1] ?? "").split("\n");
    if (THE_REPOSITORYS.has(fields[at] ?? "")) repositorys.add(key);
    else persons.set(key, value.join("\n"));
  }
  // Such a name cannot be said on a command line. Nobody has one who means well.
  if ([...repositorys].some((key) => key.includes("="))) return null;
  return [...repositorys].map((key) => `${key}=${persons.get(key) ?? none(key)}`);
}

const none = (key: string): string => (key.endsWith(".required") ? "false" : "");

/** A git that was told of another repository by its environment would speak of that one. */
function gitEnv(path: readonly string[]): NodeJS.ProcessEnv {
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...rest } = process.env;
  // What a partial clone lacks would be fetched, by a program that the repository names.
  const withoutFetching = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };
  return { ...rest, PATH: path.join(delimiter), LC_ALL: "C", ...withoutFetching };
}

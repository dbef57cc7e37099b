import { dirname, join, relative, sep } from "node:path";
import { isWithin } from "@lockstep/protocol";
import type { Files } from "../core/files.js";
import { PathRules } from "./path-rules.js";

/** The repository that a folder is in, by the closest `.git` above; the folder itself without one. */
export async function repositoryOf(folder: string, files: Files): Promise<string> {
  for (let place = folder; ; place = dirname(place)) {
    if (await files.look(join(place, ".git")).catch(() => null)) return place;
    if (place === dirname(place)) return folder;
  }
}

/** In how many folders a file can be that is looked for: each is looked at by the rules of all above it. */
const DEEPEST = 1_000;

/**
 * Whether git ignores a file below this folder, by the .gitignore files on the way down to it. What lies
 * too deep to be looked at is taken for ignored.
 */
export async function isGitIgnored(path: string, folder: string, files: Files): Promise<boolean> {
  if (relative(folder, path).split(sep).length > DEEPEST) return true;
  const above = foldersUpTo(path, folder);
  const places = above.map((place) => ({ place, name: ".gitignore" }));
  const found = await Promise.all(
    [...places, { place: folder, name: ".git/info/exclude" }].map(async ({ place, name }) => {
      const text = await files.read(join(place, name)).catch(() => null);
      return text === null ? null : new PathRules(place, text);
    }),
  );
  const rules = found.filter((rule) => rule !== null);
  // The closest file that says something about it decides.
  const isIgnored = (at: string) =>
    rules.map((rule) => rule.match(at)).find((verdict) => verdict !== "untouched") === "matched";
  // In a folder that is ignored no rule takes anything out again: git does not look into it.
  return [path, ...above.slice(0, -1).map((place) => `${place}/`)].some(isIgnored);
}

function foldersUpTo(path: string, folder: string): readonly string[] {
  const above = dirname(path);
  if (!isWithin(above, folder)) return [];
  return above === folder ? [folder] : [above, ...foldersUpTo(above, folder)];
}

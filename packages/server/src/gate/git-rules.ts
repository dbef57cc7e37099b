import { dirname, join } from "node:path";
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

/** Whether git ignores a file below this folder, by the .gitignore files on the way down to it. */
export async function isGitIgnored(path: string, folder: string, files: Files): Promise<boolean> {
  const places = foldersUpTo(path, folder).map((place) => ({ place, name: ".gitignore" }));
  const sources = [...places, { place: folder, name: ".git/info/exclude" }];
  const verdicts = await Promise.all(
    sources.map(async ({ place, name }) => {
      const text = await files.read(join(place, name)).catch(() => null);
      return text === null ? "untouched" : new PathRules(place, text).match(path);
    }),
  );
  // The closest file that says something about it decides.
  return verdicts.find((verdict) => verdict !== "untouched") === "matched";
}

function foldersUpTo(path: string, folder: string): readonly string[] {
  const above = dirname(path);
  if (!isWithin(above, folder)) return [];
  return above === folder ? [folder] : [above, ...foldersUpTo(above, folder)];
}

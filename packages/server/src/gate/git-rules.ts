import { dirname, join } from "node:path";
import { isWithin } from "@lockstep/protocol";
import type { Files } from "../core/files.js";
import { PathRules } from "./path-rules.js";

/** Whether git ignores a file below this folder, by the .gitignore files on the way down to it. */
export async function isGitIgnored(path: string, folder: string, files: Files): Promise<boolean> {
  for (const place of foldersUpTo(path, folder)) {
    const names = place === folder ? [".gitignore", ".git/info/exclude"] : [".gitignore"];
    for (const name of names) {
      const text = await files.read(join(place, name)).catch(() => null);
      const verdict = text === null ? "untouched" : new PathRules(place, text).match(path);
      // The closest file that says something about it decides.
      if (verdict !== "untouched") return verdict === "matched";
    }
  }
  return false;
}

function foldersUpTo(path: string, folder: string): readonly string[] {
  const above = dirname(path);
  if (!isWithin(above, folder)) return [];
  return above === folder ? [folder] : [above, ...foldersUpTo(above, folder)];
}

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = 500;
const IN_EACH = 200;
export const FILES = FOLDERS * IN_EACH;

/** The path of the file with that number. */
export const fileAt = (index: number): string =>
  `part-${index % FOLDERS}/file-${Math.floor(index / FOLDERS)}.ts`;

/** A repository of a hundred thousand committed files. */
export function makeRepository(folder: string): string {
  for (let index = 0; index < FOLDERS; index++) mkdirSync(join(folder, `part-${index}`));
  for (let index = 0; index < FILES; index++) {
    writeFileSync(join(folder, fileAt(index)), `export const value = ${index};\n`.repeat(10));
  }
  // No cleaning up in the background: it would be measured, and in the way.
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "maintenance.auto=false", "-c", "gc.auto=0", ...args], {
      cwd: folder,
    });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=Bench", "-c", "user.email=bench@localhost", "commit", "-q", "-m", "all");
  return folder;
}

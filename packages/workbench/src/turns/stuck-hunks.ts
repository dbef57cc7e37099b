import { join } from "node:path";
import { clusters, diffLines, linesOf, placeShown } from "@lockstep/review";
import type { FileTexts } from "./file-texts.js";
import { rawText, readPlain } from "./raw-text.js";
import type { TurnFile } from "./turn-file.js";

const YOURS = "You edited these lines yourself: they stay.";
const CHANGED = "These lines have changed since: they stay.";

/** The hunks of a file that may not be undone, and why. In the running turn the disk is its right side. */
export async function stuckHunks(
  file: TurnFile,
  texts: FileTexts,
  at: { readonly root: string; readonly isRunning: boolean },
): Promise<ReadonlyMap<number, string>> {
  const stuck = new Map(file.yours.map((id) => [id, YOURS]));
  if (at.isRunning || file.content !== "text") return stuck;
  const loaded = await texts.load(file);
  const path = file.whole === "undone" && file.from !== null ? file.from : file.path;
  const bytes = await readPlain(join(at.root, path));
  const now = bytes && rawText(bytes);
  if (!loaded || !now || now.text === loaded.text) return stuck;
  const changes = diffLines(linesOf(loaded.text), linesOf(now.text));
  for (const { as, bs } of clusters(placeShown(loaded.review), changes)) {
    if (bs.length > 0) for (const { hunk } of as) stuck.set(hunk.id, CHANGED);
  }
  return stuck;
}

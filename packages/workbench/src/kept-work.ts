import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { filePath, parseUri } from "@lockstep/protocol";
import { JOURNAL, readJournal } from "./documents/journal.js";
import { readJsonFile } from "./state/json-file.js";

/**
 * The person's own work in the state of a workspace: what would be lost with it. A line for each, such
 * as "unsaved edits of /home/ada/a.ts".
 */
export async function keptWork(stateDir: string): Promise<readonly string[]> {
  const journal = join(stateDir, "journal");
  return [
    ...(await unsavedEdits(journal)),
    ...(await reviews(join(stateDir, "drafts"))),
    ...(await deleted(join(stateDir, "trash"))),
    ...(await brokenSaves([journal, join(stateDir, "replacing")])),
    ...(await namesIn(join(journal, "set-aside"))).map((name) => `what could be saved of ${name}`),
  ];
}

async function unsavedEdits(folder: string): Promise<readonly string[]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(JOURNAL));
  const contents = names.map(async (name) => (await readJournal(join(folder, name)))?.head.uri);
  return (await Promise.all(contents)).map((uri) => `unsaved edits of ${placeOf(uri)}`);
}

async function reviews(folder: string): Promise<readonly string[]> {
  const names = await namesIn(folder);
  const drafts = names.map(
    (name) => readJsonFile(join(folder, name)) as Promise<{ uri?: unknown }>,
  );
  return (await Promise.all(drafts)).map((draft) => `a review of ${placeOf(draft?.uri)}`);
}

async function deleted(folder: string): Promise<readonly string[]> {
  const notes = (await namesIn(folder)).map(
    (id) => readJsonFile(join(folder, id, "from.json")) as Promise<{ from?: unknown }>,
  );
  return (await Promise.all(notes)).map(
    (note) => `${typeof note?.from === "string" ? note.from : "a file"}, as it was before`,
  );
}

async function brokenSaves(folders: readonly string[]): Promise<readonly string[]> {
  const names = (await Promise.all(folders.map(namesIn))).flat();
  return names
    .filter((name) => name.endsWith(".rescue"))
    .map(() => "a save that was cut short: the next start finishes it");
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

function placeOf(uri: unknown): string {
  const parsed = typeof uri === "string" ? parseUri(uri) : null;
  return parsed === null ? "an unknown file" : (filePath(parsed) ?? parsed);
}

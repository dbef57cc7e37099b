import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { keptWork } from "./kept-work.js";

async function stateWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lockstep-kept-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

it("a state without a person's work has nothing to lose", async () => {
  const state = await stateWith({ "door.json": "{}", "journal/tabs.json": "[]" });
  expect(await keptWork(state)).toEqual([]);
  expect(await keptWork(join(state, "missing"))).toEqual([]);
});

it("whatever a person could miss is named, even what cannot be read", async () => {
  const state = await stateWith({
    "journal/1.journal": "torn",
    "journal/2.rescue": "",
    "journal/set-aside/3.journal": "",
    "drafts/r.json": '{"uri":"file:///p/b.ts"}',
    "drafts/s.json": "{",
    "trash/1-x/from.json": '{"from":"/p/c.ts"}',
    "trash/2-y/item": "",
    "replacing/4.rescue": "",
  });
  expect(await keptWork(state)).toEqual([
    "unsaved edits of an unknown file",
    "a review of /p/b.ts",
    "a review of an unknown file",
    "/p/c.ts, as it was before",
    "a file, as it was before",
    "a save that was cut short: the next start finishes it",
    "a save that was cut short: the next start finishes it",
    "what could be saved of 3.journal",
  ]);
});

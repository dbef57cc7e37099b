import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileUri, type Uri } from "@lockstep/protocol";
import { expect, onTestFinished } from "vitest";
import { PageClient } from "../../workbench/test/page-client.js";
import { freshHome } from "./command.js";

/** A folder with one file, below a home of its own, for one test. */
export async function project() {
  const home = await freshHome();
  onTestFinished(() => rm(home, { recursive: true }));
  const folder = join(home, "project");
  await mkdir(folder);
  await writeFile(join(folder, "a.ts"), "const a = 1;\n");
  return { home, folder };
}

/** Where Lockstep keeps the states of the folders. */
export const states = (home: string) => join(home, ".local", "state", "lockstep", "workspaces");

/** A person types at the start of a.ts, and does not save. */
export async function typeInto(url: string, folder: string): Promise<Uri> {
  const page = await PageClient.open(url);
  const uri = fileUri(join(folder, "a.ts"));
  await page.call("tab.open", { uri, preview: false });
  const { epoch, version, text } = await page.call("text.attach", { name: uri });
  const updates = [{ clientID: "test", changes: [[0, "edited "], text.length] }];
  expect(await page.call("text.push", { name: uri, epoch, version, updates })).toBe(true);
  await page.close();
  return uri;
}

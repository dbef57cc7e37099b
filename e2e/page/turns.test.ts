import { existsSync } from "node:fs";
import { rename, unlink, writeFile } from "node:fs/promises";
import type { IdeConnection } from "@lockstep/client";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { faultsOf } from "../src/axe.js";
import { launchBrowser, whyNoBrowser } from "../src/browser.js";
import { titled } from "../src/needs.js";
import { goToLine, openByName, textbox } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";

const reason = whyNoBrowser();

const before = ["one", "two", "three", "four", "five", "six", "seven", "eight", ""].join("\n");
const after = ["ONE", "two", "three", "FOUR", "five", "six", "SEVEN", "eight", ""].join("\n");
const files = { "src/a.txt": before, "b.txt": "bee\n", "c.txt": "sea\n" };

const turnsButton = (page: Page) =>
  page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: /^Turns/ });
const panel = (page: Page) => page.getByRole("complementary", { name: "Turns" });
const row = (page: Page, name: string) => panel(page).locator(".turns-file", { hasText: name });
const changes = (page: Page) => page.getByRole("toolbar", { name: "Changes" });

/**
 * An agent is sent a prompt: it says so by closing its diffs, as Claude Code does. Only then it writes,
 * much later in truth.
 */
const prompt = (agent: IdeConnection) => agent.call("closeAllDiffTabs", {});

/** Shows a file of the turn, and waits until its changes can be decided. */
async function show(page: Page, name: string, count: number): Promise<void> {
  await row(page, name).first().click();
  await page.getByRole("region", { name: `What changed in ${name}` }).waitFor();
  await changes(page).getByText(`1 of ${count}`).waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Keep file" }).isEnabled()).toBe(true);
}

describe.skipIf(reason)(titled("a turn", reason), () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  async function open(more: Readonly<Record<string, string>> = {}) {
    const stage = await Stage.open(browser, { files: { ...files, ...more } });
    const page = await stage.page();
    const agent = await stage.agent();
    await turnsButton(page).click();
    await panel(page).getByText("Nothing has changed").waitFor();
    await prompt(agent);
    const path = (name: string) => stage.workspace.path(name);
    const reads = (name: string, text: string) =>
      expect.poll(() => stage.workspace.read(name).catch(() => null)).toBe(text);
    return { stage, page, agent, path, reads };
  }

  it("is shown while it runs, counts what was not looked at, and is undone change by change by key", async () => {
    const { stage, page, path, reads } = await open();
    await writeFile(path("src/a.txt"), after);
    await writeFile(path("b.txt"), "BEE\n");
    await page.getByRole("button", { name: "Turns, 2 not looked at" }).waitFor();
    await show(page, "a.txt", 3);
    await page.getByRole("button", { name: "Turns, 1 not looked at" }).waitFor();
    await panel(page).getByText("Prompt to Test agent").waitFor();
    await page.getByRole("button", { name: "Next change" }).focus();
    await page.keyboard.press("Alt+KeyN");
    await reads("src/a.txt", after.replace("ONE", "one"));
    // The keys went on to the next change; this one is kept.
    await page.keyboard.press("Alt+KeyY");
    await page.getByRole("group", { name: /^Change 2 of 3: Kept/ }).waitFor();
    await page.keyboard.press("Alt+KeyN");
    await reads("src/a.txt", before.replace("four", "FOUR"));
    await page.keyboard.press("Control+KeyZ");
    await reads("src/a.txt", after.replace("ONE", "one"));
    await page.keyboard.press("Control+Shift+KeyZ");
    await reads("src/a.txt", before.replace("four", "FOUR"));
    await page.getByRole("button", { name: "Bring back" }).first().click();
    await reads("src/a.txt", after.replace("SEVEN", "seven"));
    expect(stage.complaints).toEqual([]);
  });

  it("says after an undo that the agent does not know of it, with a sentence to tell it", async () => {
    const { page, path, reads } = await open();
    await writeFile(path("b.txt"), "BEE\n");
    await show(page, "b.txt", 1);
    const undo = page.getByRole("button", { name: "Undo file" });
    await undo.click();
    await reads("b.txt", "bee\n");
    await page.getByText(/Test agent does not know what you undid/).waitFor();
    await page.getByRole("button", { name: "Copy a sentence for it" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      "I undid some of your changes in b.txt: read it again before you edit it.",
    );
    await expect.poll(() => page.getByText(/does not know what you undid/).count()).toBe(0);
    await page.getByRole("button", { name: "Bring back" }).first().click();
    await reads("b.txt", "BEE\n");
  });

  it("has created, deleted, renamed and binary files, and undoes all of them at once and back", async () => {
    const { stage, page, path, reads } = await open();
    await writeFile(path("new.txt"), "new\n");
    await unlink(path("c.txt"));
    await rename(path("b.txt"), path("bee.txt"));
    await writeFile(path("picture.png"), Buffer.from([137, 80, 0, 1]));
    await row(page, "picture.png").waitFor();
    await row(page, "bee.txt").waitFor();
    await row(page, "c.txt").waitFor();
    await row(page, "picture.png").click();
    await page.getByText("Not a text").waitFor();
    await panel(page).getByRole("button", { name: "Undo all" }).click();
    await reads("c.txt", "sea\n");
    await reads("b.txt", "bee\n");
    await expect.poll(() => existsSync(path("new.txt"))).toBe(false);
    await expect.poll(() => existsSync(path("picture.png"))).toBe(false);
    await panel(page).getByRole("button", { name: "Take back" }).click();
    await reads("new.txt", "new\n");
    await reads("bee.txt", "bee\n");
    await expect.poll(() => existsSync(path("c.txt"))).toBe(false);
    expect(stage.complaints).toEqual([]);
  });

  it("shows what was deleted from its beginning, however long it is", async () => {
    const long = Array.from({ length: 200 }, (_, index) => `line ${index}\n`).join("");
    const { page, path } = await open({ "long.txt": long });
    await unlink(path("long.txt"));
    await row(page, "long.txt").waitFor();
    await show(page, "long.txt", 1);
    const panes = await page.locator(".review-panes").boundingBox();
    const top = async () => (await page.locator(".review-hunk").first().boundingBox())?.y;
    await expect.poll(top).toBeGreaterThanOrEqual(panes?.y ?? Number.POSITIVE_INFINITY);
  });

  it("never overwrites what the person is writing: unsaved edits are a conflict", async () => {
    const { page, path, reads } = await open();
    await writeFile(path("src/a.txt"), after);
    await show(page, "a.txt", 3);
    await openByName(page, "src/a.txt");
    await goToLine(page, 1);
    await page.keyboard.type("mine ");
    await textbox(page).filter({ hasText: "mine ONE" }).waitFor();
    await row(page, "a.txt").click();
    await page
      .getByText(/You have unsaved edits in this file/)
      .first()
      .waitFor();
    expect(await page.getByRole("button", { name: "Undo file" }).isDisabled()).toBe(true);
    await panel(page).getByRole("button", { name: "Undo all" }).click();
    await page.getByText(/unsaved edits in src\/a.txt/).waitFor();
    await reads("src/a.txt", after);
    // Saved, those lines are the person's, and all others can be undone.
    await page.getByRole("tab", { name: /^a\.txt.*unsaved/ }).click();
    await page.keyboard.press("Control+KeyS");
    await reads("src/a.txt", `mine ${after}`);
    await row(page, "a.txt").click();
    await page
      .getByText(/You edited these lines yourself/)
      .first()
      .waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Undo file" }).isEnabled()).toBe(true);
    await page.getByRole("button", { name: "Undo file" }).click();
    await reads("src/a.txt", `mine ${after}`.replace("FOUR", "four").replace("SEVEN", "seven"));
  });

  it("goes on after a crash in its middle, and earlier ones are in the history", async () => {
    const { stage, page, agent, path, reads } = await open();
    await writeFile(path("b.txt"), "BEE\n");
    await row(page, "b.txt").waitFor();
    await prompt(agent);
    await writeFile(path("src/a.txt"), after);
    await row(page, "a.txt").waitFor();
    await show(page, "a.txt", 3);
    await stage.crash();
    await page.getByText("Reconnecting").waitFor({ state: "detached" });
    await row(page, "a.txt").waitFor();
    await writeFile(path("c.txt"), "SEA\n");
    await row(page, "c.txt").waitFor();
    await panel(page).getByText("2 files").waitFor();
    await panel(page)
      .getByRole("button", { name: /^Prompt to Test agent/ })
      .last()
      .click();
    await row(page, "b.txt").click();
    await page.getByRole("button", { name: "Undo file" }).click();
    await reads("b.txt", "bee\n");
    await panel(page).getByRole("button", { name: "Undo all" }).first().click();
    await reads("src/a.txt", before);
    await reads("c.txt", "sea\n");
  });

  it("is told of calmly when it seems to be over, without taking the focus", async () => {
    const { page, path } = await open();
    await openByName(page, "c.txt");
    await page.keyboard.press("Control+Shift+KeyE");
    await goToLine(page, 1);
    await writeFile(path("b.txt"), "BEE\n");
    const told = page.getByText("1 file has changed since the prompt to Test agent.");
    await told.waitFor();
    await page.keyboard.type("still typing ");
    await textbox(page).filter({ hasText: "still typing sea" }).waitFor();
    await page.getByRole("button", { name: "Look at it" }).waitFor();
    // Whoever looks knows, however they came there.
    await page.keyboard.press("Control+Shift+KeyH");
    await row(page, "b.txt").waitFor();
    await told.waitFor({ state: "detached" });
  });

  it("has nothing that axe finds wrong, in light and dark", async () => {
    const stage = await Stage.open(browser, { files });
    // The page may not be scripted from outside, but for the checker.
    const context = await browser.newContext({ bypassCSP: true });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(stage.lockstep.announcement.url ?? "");
    const agent = await stage.agent();
    await turnsButton(page).click();
    await panel(page).getByText("Nothing has changed").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await prompt(agent);
    await writeFile(stage.workspace.path("src/a.txt"), after);
    await writeFile(stage.workspace.path("picture.png"), Buffer.from([137, 80, 0, 1]));
    await row(page, "picture.png").waitFor();
    await show(page, "a.txt", 3);
    await page.getByRole("button", { name: "Undo", exact: true }).first().click();
    await changes(page).getByText("1 undone").waitFor();
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await expect.poll(() => page.locator(`html[data-theme="${scheme}"]`).count()).toBe(1);
      expect(await faultsOf(page)).toEqual([]);
    }
  });
});

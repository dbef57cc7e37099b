import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { complaintsOf, person } from "../src/browser.js";
import { inBrowser } from "../src/in-browser.js";
import { LockstepCommand } from "../src/lockstep-command.js";
import { reviewTab, selectLines } from "../src/page-acts.js";
import { Workspace } from "../src/workspace.js";

const says = (page: Page, words: string | RegExp) =>
  page.getByRole("region", { name: "Notifications" }).getByText(words).waitFor();

async function accept(page: Page, name: string): Promise<void> {
  await reviewTab(page, name).click();
  const button = page.getByRole("button", { name: /^(Accept|Send)/ });
  await expect.poll(() => button.isEnabled()).toBe(true);
  await button.click();
}

inBrowser({ name: "lockstep demo", timeout: 180_000 }, (browser) => {
  it("takes a newcomer through everything with a scripted agent, and leaves nothing behind", async () => {
    const workspace = await Workspace.create();
    onTestFinished(() => workspace.remove());
    const demo = await LockstepCommand.demo(workspace);
    onTestFinished(() => demo.kill());
    const [folder = ""] = demo.announcement.workspaceFolders;
    const context = await person(browser());
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(demo.announcement.url ?? "");

    await says(page, /^1 of 9/);
    await page.getByRole("contentinfo").getByText("Demo agent").first().waitFor();
    await page.getByRole("tab", { name: "tide.ts", selected: true }).waitFor();
    await says(page, /^2 of 9/);
    await selectLines(page, 2, 4);
    await says(page, "The agent sees");
    await says(page, /^3 of 9 · TypeScript finds \d+ problems/);
    await says(page, /^4 of 9/);
    await accept(page, "tide.ts");
    await expect
      .poll(() => readFile(join(folder, "src/tide.ts"), "utf8"))
      .toContain("hour: number");
    await says(page, /^5 of 9/);
    await accept(page, "report.ts");
    await reviewTab(page, "tide.test.ts").click();
    const reject = page.getByRole("button", { name: "Reject…" });
    await expect.poll(() => reject.isEnabled()).toBe(true);
    await reject.click();
    await page.getByRole("textbox", { name: "Reason for rejecting" }).press("Enter");
    await says(page, /^6 of 9/);
    expect(existsSync(join(folder, "src/tide.test.ts"))).toBe(false);
    await page.getByRole("tab", { name: "tide.ts" }).first().click();
    await selectLines(page, 1, 1);
    await page.keyboard.press("Alt+KeyK");
    await says(page, "The agent got it: src/tide.ts");
    await says(page, /^7 of 9/);
    await says(page, /two files/);
    await page.getByRole("button", { name: /^Turns/ }).click();
    await page.getByText("quay.ts").first().waitFor();
    await says(page, /^8 of 9/);
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^(Allow|Yes)/ })
      .click();
    await says(page, /^8 of 9 · It ran: The water is deepest at 3:00/);
    await says(page, /^9 of 9/);
    expect(complaints).toEqual([]);

    expect(await demo.stop()).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });
});

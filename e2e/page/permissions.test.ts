import type { Locator, Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { faultsOf } from "../src/axe.js";
import { inBrowser } from "../src/in-browser.js";
import { whyNoJupyter } from "../src/needs.js";
import { Stage } from "../src/stage.js";

const NOTEBOOK = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });
const QUESTION = "Let Claude Code run code in your notebooks?";

const allowed = (page: Page) => page.getByRole("region", { name: "Allowed in this workspace" });

/** A click in the first moment answers nothing: it may have been meant for something else. */
async function answer(dialog: Locator, name: string): Promise<void> {
  await dialog.waitFor();
  const button = dialog.getByRole("button", { name, exact: true });
  await expect
    .poll(async () => {
      await button.click({ timeout: 1_000 }).catch(() => {});
      return dialog.count();
    })
    .toBe(0);
}

inBrowser({ name: "what is allowed for good", unless: whyNoJupyter() }, (browser) => {
  it.each(["light", "dark"] as const)(
    "is asked for once, seen where the agent is, and revoked in the settings, in %s",
    async (colorScheme) => {
      const stage = await Stage.open(browser(), { files: { "a.ipynb": NOTEBOOK } });
      const viewport = { width: 1280, height: 720 };
      // For the checker; nothing else may script the page.
      const context = await browser().newContext({ viewport, colorScheme, bypassCSP: true });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(stage.lockstep.announcement.url ?? "");
      await page.getByRole("navigation", { name: "Views" }).waitFor();
      await page.keyboard.press("Control+Comma");
      await allowed(page).getByText("Nothing yet.").waitFor();
      await page.keyboard.press("Control+P");
      await page.getByRole("combobox", { name: "File" }).fill("a.ipynb");
      await page.getByRole("option", { name: "a.ipynb" }).waitFor();
      await page.keyboard.press("Control+Enter");
      await page.getByRole("tab", { name: "a.ipynb", selected: true }).waitFor();

      const agent = await stage.agent("Claude Code");
      const run = async (code: string) => JSON.stringify(await agent.tools.executeCode({ code }));
      const dialog = page.getByRole("dialog", { name: QUESTION });
      const first = run("print('ran')\nfor i in range(3):\n\tprint(i)");
      await dialog.getByText("until you take it back in the settings").waitFor();
      await answer(dialog, "Allow");
      expect(await first).toContain("ran");
      expect(await run("print('again')")).toContain("again");

      await page.keyboard.press("Control+Shift+A");
      const note = page.getByRole("button", { name: "May run code in notebooks" });
      await note.click();
      const row = allowed(page).getByRole("listitem");
      await row.getByText("Claude Code may run code in notebooks").waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await row.getByRole("button", { name: /^Revoke: Claude Code/ }).focus();
      await page.keyboard.press("Enter");
      await allowed(page).getByText("Nothing yet.").waitFor();
      await note.waitFor({ state: "detached" });
      expect(await allowed(page).evaluate((section) => section === document.activeElement)).toBe(
        true,
      );
      expect(await faultsOf(page)).toEqual([]);

      const next = run("print('once more')").catch(String);
      await answer(dialog, "Don’t allow");
      expect(await next).toContain("has not allowed code to be run");
    },
  );
});

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { faultsOf } from "../src/axe.js";
import { launchBrowser, whyNoBrowser } from "../src/browser.js";
import { tideProject } from "../src/language-scene.js";
import { titled } from "../src/needs.js";
import { goToLine, openByName, textbox } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";

const reason = whyNoBrowser();

const list = (page: Page) => page.getByRole("tree", { name: "Problems" });
const row = (page: Page, name: string | RegExp) => list(page).getByRole("treeitem", { name });
const status = (page: Page, words: string) =>
  page.locator("footer").getByRole("button", { name: words });

const broken = {
  ...tideProject,
  "src/shore.ts": [
    'const one: number = "a";',
    'const two: number = "b";',
    "let used = missing;",
    "",
    "",
  ].join("\n"),
  "src/unsure.css": "a { colour: red; }\n",
};

describe.skipIf(reason)(titled("what is wrong with the code", reason), () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  async function open(files: Readonly<Record<string, string>>, name: string) {
    const stage = await Stage.open(browser, { files });
    const page = await stage.page();
    await openByName(page, name);
    return { stage, page };
  }

  it("shows as it is typed: in the text, beside it, in tree, tab and status bar; and goes when it is mended", async () => {
    const { stage, page } = await open(tideProject, "shore.ts");
    await goToLine(page, 2);
    await page.keyboard.type('const n: number = "x";');
    await page.locator(".problem-error", { hasText: "n" }).waitFor();
    await page.locator(".problem-dot-error").waitFor();
    await page.getByRole("treeitem", { name: /^shore\.ts.*1 error/ }).waitFor();
    await page.getByRole("treeitem", { name: /^src.*1 error/ }).waitFor();
    await page.getByRole("tab", { name: /shore\.ts, unsaved, 1 error/ }).waitFor();
    await status(page, "1 error, 0 warnings").waitFor();
    await page.keyboard.press("Control+Z");
    await status(page, "0 errors, 0 warnings").waitFor();
    await page.locator(".problem-error").waitFor({ state: "detached" });
    expect(stage.complaints).toEqual([]);
  });

  it("is counted whole, where there is more of it than is listed", async () => {
    const many = Array.from({ length: 150 }, (_, at) => `export const n${at}: string = ${at};\n`);
    const { page } = await open({ ...tideProject, "src/many.ts": many.join("") }, "many.ts");
    await status(page, "150 errors, 0 warnings").waitFor();
    await page.getByRole("treeitem", { name: /^many\.ts.*150 errors/ }).waitFor();
    await page.getByRole("treeitem", { name: /^src.*150 errors/ }).waitFor();
    await page.getByRole("tab", { name: /many\.ts, 150 errors/ }).waitFor();
    await status(page, "150 errors, 0 warnings").click();
    await row(page, /many\.ts.*150 problems/).waitFor();
  });

  it("moves along with the text before a server has looked again", async () => {
    const { stage, page } = await open(broken, "shore.ts");
    await page.locator(".problem-error", { hasText: "missing" }).waitFor();
    // Nobody looks again from now on: only the page itself can keep the mark where it belongs.
    await stage.context.setOffline(true);
    await goToLine(page, 1);
    await page.keyboard.type("// above\n");
    await page
      .locator(".cm-line", { hasText: "let used = missing;" })
      .locator(".problem-error", { hasText: /^missing$/ })
      .waitFor();
    await goToLine(page, 4);
    await page.keyboard.press("End");
    for (let times = 0; times < 4; times++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("xx");
    await page.locator(".problem-error", { hasText: /^missxxing$/ }).waitFor();
  });

  it("is gone through by F8, with its message, in this file and on to the next", async () => {
    const { page } = await open(broken, "unsure.css");
    await status(page, "0 errors, 1 warning").waitFor();
    await openByName(page, "shore.ts");
    await status(page, "3 errors, 1 warning").waitFor();
    await goToLine(page, 4);
    await page.keyboard.press("Shift+F8");
    await page.locator(".language-card", { hasText: "Cannot find name 'missing'" }).waitFor();
    await page.keyboard.press("Shift+F8");
    await page.getByText("2:7").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".language-card").waitFor({ state: "detached" });
    await page.keyboard.press("F8");
    await page.getByText("3:12").waitFor();
    await page.keyboard.press("F8");
    await page.getByRole("tab", { name: "unsure.css", selected: true }).waitFor();
    await page.getByText("1:5", { exact: true }).waitFor();
    await page.keyboard.press("F8");
    await page.getByRole("tab", { name: "shore.ts", selected: true }).waitFor();
  });

  it("is listed by file, filtered, opened and copied, all by keys", async () => {
    const { stage, page } = await open(broken, "unsure.css");
    await openByName(page, "shore.ts");
    await status(page, "3 errors, 1 warning").click();
    await row(page, "shore.ts").waitFor();
    await row(page, "unsure.css").waitFor();
    await page.getByRole("textbox", { name: "Filter problems" }).fill("2322");
    await expect.poll(() => list(page).getByRole("treeitem").count()).toBe(3);
    await page.getByRole("textbox", { name: "Filter problems" }).fill("");
    await page.getByRole("button", { name: /^Errors/ }).click();
    await row(page, "shore.ts").waitFor({ state: "detached" });
    await row(page, /Unknown property/).waitFor();
    await page.getByRole("button", { name: "This file only" }).click();
    await page.getByText("Nothing passes the filter").waitFor();
    await page.getByRole("button", { name: /^Errors/ }).click();
    await row(page, /missing/).waitFor();

    await list(page).focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Control+C");
    await page.getByText("Copied the message").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      "src/shore.ts:3:12 error: Cannot find name 'missing'. ts(2304)",
    );
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await row(page, /missing/).waitFor({ state: "detached" });
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByText("2:7").waitFor();
    expect(await textbox(page).evaluate((text) => text === document.activeElement)).toBe(true);
    await page.keyboard.press("Control+Shift+M");
    expect(await list(page).evaluate((tree) => tree === document.activeElement)).toBe(true);
    await page.keyboard.press("Control+Shift+M");
    await list(page).waitFor({ state: "detached" });
    expect(stage.complaints).toEqual([]);
  });

  it("stays quick to list in thousands: only the rows that can be seen are in the page", async () => {
    const many = Array.from({ length: 900 }, (_, at) => `const n${at}: number = "x";`).join("\n");
    const { page } = await open({ ...tideProject, "src/many.ts": many }, "many.ts");
    await page.keyboard.press("Control+Shift+M");
    await list(page).focus();
    await page.keyboard.press("End");
    await row(page, /and [\d,]+ more in this file/)
      .first()
      .waitFor();
    expect(await list(page).getByRole("treeitem").count()).toBeLessThan(60);
  });

  it("is mended from the list, from the card and by the bulb", async () => {
    const files = { ...tideProject, "src/b.ts": "export const a = tideAt(3);\n" };
    const { stage, page } = await open(files, "b.ts");
    const isMended = () =>
      page.locator(".cm-line", { hasText: 'import { tideAt } from "./tide.js"' }).waitFor();
    const isBroken = () => page.locator(".problem-error", { hasText: "tideAt" }).waitFor();
    const takeBack = async () => {
      await textbox(page).focus();
      await page.keyboard.press("Control+Z");
      await isBroken();
    };
    await isBroken();
    await page.keyboard.press("Control+Shift+M");
    const importing = page.getByRole("menuitem", { name: 'Add import from "./tide.js"' });
    // A server that has just loaded the project does not know of all imports yet: one tries again.
    const isOffered = async () => {
      await list(page).focus();
      await page.keyboard.press("End");
      await page.keyboard.press("Control+Period");
      const offered = await importing.waitFor({ timeout: 3_000 }).catch((error: Error) => error);
      if (offered) await page.keyboard.press("Escape");
      return !offered;
    };
    await expect.poll(isOffered, { timeout: 30_000 }).toBe(true);
    await page.keyboard.press("Enter");
    await isMended();
    await takeBack();

    await page.locator(".problem-error", { hasText: "tideAt" }).hover();
    await page.getByRole("button", { name: 'Add import from "./tide.js"' }).click();
    await isMended();
    await takeBack();

    await goToLine(page, 1);
    await page.locator(".problem-bulb").click();
    await page.getByRole("menuitem", { name: 'Add import from "./tide.js"' }).click();
    await isMended();
    await status(page, "0 errors, 0 warnings").waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("is told to those who cannot see it: axe finds nothing wrong with list, card and servers", async () => {
    const stage = await Stage.open(browser, { files: broken });
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 720 },
        colorScheme,
        bypassCSP: true,
      });
      onTestFinished(() => context.close());
      const { origin } = new URL(stage.lockstep.announcement.url ?? "");
      const url = colorScheme === "light" ? stage.lockstep.announcement.url : origin;
      await context.addCookies(cookies);
      const page = await context.newPage();
      await page.goto(url ?? "");
      await page.getByRole("navigation", { name: "Views" }).waitFor();
      cookies = await context.cookies();
      await openByName(page, "shore.ts");
      await page.locator(".problem-error").first().waitFor();
      await page.keyboard.press("F8");
      await page.locator(".language-card").waitFor();
      expect(await faultsOf(page), "a card").toEqual([]);
      await page.keyboard.press("Control+Shift+M");
      await row(page, /missing/).waitFor();
      expect(await faultsOf(page), "the list").toEqual([]);
      await page.getByRole("textbox", { name: "Filter problems" }).fill("nothing like it");
      await page.getByText("Nothing passes the filter").waitFor();
      expect(await faultsOf(page), "an empty list").toEqual([]);
      await page.locator(".language-status").click();
      await page.getByRole("dialog", { name: "Language servers" }).waitFor();
      expect(await faultsOf(page), "the servers").toEqual([]);
    }
  });
});

let cookies: Awaited<ReturnType<Awaited<ReturnType<Browser["newContext"]>>["cookies"]>> = [];

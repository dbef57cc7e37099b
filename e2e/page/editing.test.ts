import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { inBrowser } from "../src/in-browser.js";
import { giveCommand, goToLine, openByName, selectLines, textbox } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";

const files = {
  "words.txt": "foo bar foo\nFoo food foo\nlast\n",
  "code.ts": "const tide = 1;\nconst shore = tide + 1;\n",
  "hidden.py": "admin = False\n# \u202e} \u2066if admin\u2069 begin\n",
};

/** What the status bar says of the document. */
const says = (page: Page, words: string | RegExp) =>
  page.locator("footer").getByText(words).first().waitFor();

/** Saves what is shown, until the file has `text`. */
async function saves(stage: Stage, page: Page, name: string, text: string): Promise<void> {
  await page.keyboard.press("Control+S");
  await expect.poll(() => stage.workspace.read(name)).toBe(text);
}

inBrowser("a document in the editor", (browser) => {
  async function open(name: string) {
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    await openByName(page, name);
    await goToLine(page, 1);
    return { stage, page };
  }

  it("is searched and replaced by word and by case, with the matches counted", async () => {
    const { stage, page } = await open("words.txt");
    await page.keyboard.press("Control+H");
    await page.keyboard.type("foo");
    await page.getByText("1 of 5").waitFor();
    await page.getByRole("button", { name: "Match case" }).click();
    await page.getByRole("button", { name: "Whole word" }).click();
    await page.getByText("1 of 3").waitFor();
    await page.getByRole("textbox", { name: "Find" }).press("Enter");
    await page.getByText("2 of 3").waitFor();
    await page.getByRole("textbox", { name: "Replace" }).fill("qux");
    await page.getByRole("button", { name: "Replace all" }).click();
    await page.keyboard.press("Escape");
    await saves(stage, page, "words.txt", "qux bar qux\nFoo food qux\nlast\n");
    expect(stage.complaints).toEqual([]);
  });

  it("is edited at several places at once", async () => {
    const { stage, page } = await open("words.txt");
    for (let times = 0; times < 3; times++) await page.keyboard.press("Control+D");
    await says(page, "3 cursors (9 selected)");
    await page.keyboard.type("baz");
    await saves(stage, page, "words.txt", "baz bar baz\nFoo food baz\nlast\n");
  });

  it("knows how lines of its language become comments", async () => {
    const { stage, page } = await open("code.ts");
    await page.locator(".cm-line span").first().waitFor();
    await page.keyboard.press("Control+/");
    await saves(stage, page, "code.ts", `// ${files["code.ts"]}`);
  });

  it("is left by Escape and Tab, and says so to those who cannot see it", async () => {
    const { page } = await open("words.txt");
    expect(await textbox(page).getAttribute("aria-label")).toMatch(/words\.txt.*Escape.*Tab/);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    expect(await textbox(page).evaluate((text) => text === document.activeElement)).toBe(false);
  });

  it("goes to a line by its number, and keeps its place and undo while another is shown", async () => {
    const { stage, page } = await open("words.txt");
    await page.keyboard.type("typed ");
    await page.keyboard.press("Control+G");
    await page.keyboard.type("2:5");
    await page.keyboard.press("Enter");
    await says(page, "2:5");
    await openByName(page, "code.ts");
    await says(page, "1:1");
    await page.getByRole("tab", { name: /words\.txt/ }).click();
    await says(page, "2:5");
    await page.keyboard.press("Control+Z");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("end");
    await saves(stage, page, "words.txt", `${files["words.txt"]}end`);
  });

  it("stays where it is when its file gets another name, with its cursor and its history", async () => {
    const { stage, page } = await open("code.ts");
    await openByName(page, "words.txt");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("mine");
    await page.getByRole("treeitem", { name: /^words\.txt/ }).click();
    await page.keyboard.press("F2");
    await page.keyboard.type("named");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: /^named\.txt/, selected: true }).click();
    await says(page, "4:5");
    await page.keyboard.type(" too");
    await saves(stage, page, "named.txt", `${files["words.txt"]}mine too`);
    await page.keyboard.press("Control+Z");
    await page.keyboard.press("Control+Z");
    await saves(stage, page, "named.txt", files["words.txt"]);
  });

  it("whose file changed too is merged in a review that shows at once", async () => {
    const { stage, page } = await open("words.txt");
    await page.keyboard.type("mine ");
    await page.getByRole("tab", { name: /unsaved/i }).waitFor();
    await stage.workspace.write("words.txt", files["words.txt"].replace("last", "theirs"));
    await page.getByRole("button", { name: "Merge…" }).click();
    const merge = page.getByRole("button", { name: "Merge into the document" });
    await expect.poll(() => merge.isEnabled()).toBe(true);
    await page.getByRole("button", { name: "Next change" }).click();
    await page.keyboard.press("Control+Enter");
    await textbox(page)
      .filter({ hasText: /^mine foo.*theirs$/s })
      .waitFor();
  });

  it("whose file changed too is decided by keys alone: saving leads to the choice, which leads back to the text", async () => {
    const { stage, page } = await open("words.txt");
    await page.keyboard.type("mine ");
    await page.getByRole("tab", { name: /unsaved/i }).waitFor();
    await stage.workspace.write("words.txt", "theirs\n");
    await page.getByRole("button", { name: "Merge…" }).waitFor();
    await page.keyboard.press("Control+S");
    const focused = () => page.evaluate("document.activeElement.textContent");
    await expect.poll(focused).toBe("Merge…");
    // It is said above the text, and not a second time.
    expect(await page.getByText("has changed on disk").count()).toBe(1);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await expect.poll(focused).toBe("Keep mine");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Keep mine" }).waitFor({ state: "detached" });
    await page.keyboard.type("indeed ");
    await saves(stage, page, "words.txt", `mine indeed ${files["words.txt"]}`);
    expect(stage.complaints).toEqual([]);
  });

  it("shows characters that would make its text look like another", async () => {
    const { page } = await open("hidden.py");
    for (const name of ["RLO", "LRI", "PDI"]) await page.getByText(name, { exact: true }).waitFor();
  });

  it("gets other line ends from the status bar", async () => {
    const { stage, page } = await open("words.txt");
    await page.getByRole("button", { name: "LF", exact: true }).click();
    await page.getByRole("menuitem", { name: /CRLF/ }).click();
    await page.getByRole("button", { name: "CRLF", exact: true }).waitFor();
    await textbox(page).focus();
    await saves(stage, page, "words.txt", files["words.txt"].replaceAll("\n", "\r\n"));
  });

  it("that is reverted becomes the file again, and undo brings the edits back", async () => {
    const { page } = await open("words.txt");
    await selectLines(page, 1, 1);
    await page.keyboard.type("mine\n");
    await page.getByRole("tab", { name: /unsaved/i }).waitFor();
    await giveCommand(page, "revert");
    await page.getByRole("button", { name: "Revert" }).click();
    await textbox(page).filter({ hasText: "foo bar foo" }).waitFor();
    await textbox(page).focus();
    await page.keyboard.press("Control+Z");
    await textbox(page).filter({ hasText: "mine" }).waitFor();
  });

  it("is folded by the marks beside it, which are right again after an edit", async () => {
    const files = { "a.ts": "function one() {\n  return 1;\n}\nlet two;\n" };
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    await openByName(page, "a.ts");
    const marks = page.locator(".cm-foldGutter .editor-fold:visible");
    await page.getByTitle("Fold").nth(1).click();
    await textbox(page).filter({ hasNotText: "return 1" }).waitFor();
    await page.locator(".editor-folded").click();
    await textbox(page).filter({ hasText: "return 1" }).waitFor();
    const before = await marks.count();
    await goToLine(page, 4);
    await page.keyboard.type("if (two) {\nthree();\n}");
    await expect.poll(() => marks.count()).toBe(before + 1);
  });
});

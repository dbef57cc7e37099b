import { execFileSync } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { inBrowser } from "../src/in-browser.js";
import { goToLine, openByName, textbox } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";

const row = (page: Page, name: string) => page.getByRole("treeitem", { name });
const tree = (page: Page) => page.getByRole("tree", { name: "Files" });

inBrowser("a person works with the files of a project", (browser) => {
  it("and goes through the tree by keys, with git's state in words", async () => {
    const stage = await Stage.open(browser(), {
      files: { "src/a.ts": "a\n", "src/b.ts": "b\n", "README.md": "", ".gitignore": "*.log\n" },
    });
    const { project } = stage.workspace;
    execFileSync("git", ["init", "-q", "-b", "topic"], { cwd: project });
    execFileSync("git", ["add", "src/a.ts"], { cwd: project });
    await stage.workspace.write("debug.log", "");
    const page = await stage.page();
    await row(page, "src").waitFor();
    await tree(page).focus();
    await page.keyboard.press("s");
    await page.keyboard.press("ArrowRight");
    await row(page, "a.ts added").waitFor();
    await row(page, "b.ts untracked").waitFor();
    await row(page, "debug.log ignored").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "a.ts", selected: true }).waitFor();
    await page.getByText("topic").waitFor();
    await stage.workspace.write("src/by-an-agent.ts", "");
    await row(page, "by-an-agent.ts").waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("and makes, renames and deletes files, each with a way back", async () => {
    const stage = await Stage.open(browser(), { files: { "a.ts": "text\n", "b.ts": "" } });
    const at = (name: string) => join(stage.workspace.project, name);
    const page = await stage.page();
    await row(page, "a.ts").click();
    await page.getByRole("tab", { name: "a.ts" }).waitFor();
    await tree(page).focus();
    await page.keyboard.press("F2");
    await page.getByLabel("New name of a.ts").fill("b.ts");
    await page.keyboard.press("Enter");
    await page.getByText("something called b.ts already").waitFor();
    await page.getByLabel("New name of a.ts").fill("c.ts");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "c.ts", selected: true }).waitFor();
    await row(page, "c.ts").waitFor();
    await tree(page).focus();
    await page.keyboard.press("Delete");
    await page.getByText("Deleted c.ts").waitFor();
    await expect(access(at("c.ts"))).rejects.toThrow();
    await page.getByRole("button", { name: "Undo" }).click();
    await row(page, "c.ts").waitFor();
    await expect.poll(() => readFile(at("c.ts"), "utf8").catch(String)).toBe("text\n");
    await row(page, "b.ts").click({ button: "right" });
    await page.getByRole("menuitem", { name: "New file…" }).click();
    await page.getByLabel("Name of the new file").fill("deep/<img src=x>.ts");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "<img src=x>.ts", selected: true }).waitFor();
    await row(page, "<img src=x>.ts").waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("and opens a file at a line by a few letters", async () => {
    const stage = await Stage.open(browser(), {
      files: { "src/state/store.ts": "one\ntwo\nthree\n", "src/other.ts": "" },
    });
    const page = await stage.page();
    await page.keyboard.press("Control+P");
    await page.getByRole("combobox", { name: "File" }).fill("stst:3");
    await page.getByRole("option", { name: "store.ts" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "store.ts", selected: true }).waitFor();
    await page.getByText("3:1").waitFor();
    await row(page, "store.ts").waitFor();
  });

  it("and replaces in all files, sees what it will be, and takes it back", async () => {
    const stage = await Stage.open(browser(), {
      files: { "a.ts": "let needle = 1;\r\n", "b.ts": "needle needle\n", "c.ts": "thread\n" },
    });
    const text = (name: string) => readFile(join(stage.workspace.project, name), "utf8");
    const page = await stage.page();
    await page.keyboard.press("Control+Shift+F");
    await page.getByLabel("Search for").fill("needle");
    await page.getByText("3 matches in 2 files").waitFor();
    await page.getByRole("button", { name: "Replace", exact: true }).click();
    await page.getByLabel("Replace by").fill("thread");
    await page.getByRole("button", { name: "Replace all" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("3 matches in 2 files will be replaced by “thread”.").waitFor();
    await dialog.getByRole("button", { name: "Replace" }).click();
    await page.getByText("Replaced 3 matches in 2 files").waitFor();
    expect(await text("a.ts")).toBe("let thread = 1;\r\n");
    expect(await text("b.ts")).toBe("thread thread\n");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone: Replace in 2 files").waitFor();
    expect(await text("b.ts")).toBe("needle needle\n");
    await page.getByRole("treeitem", { name: "let needle" }).click();
    await page.getByRole("tab", { name: "a.ts", selected: true }).waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("and is in the field by its key from anywhere, with what is selected in the text", async () => {
    const stage = await Stage.open(browser(), { files: { "a.ts": "needle thread\n" } });
    const page = await stage.page();
    await openByName(page, "a.ts");
    await page.keyboard.press("Control+Shift+F");
    await page.keyboard.type("needle");
    await page.getByText("1 match in 1 file").waitFor();
    await page.getByRole("button", { name: "Replace", exact: true }).click();
    await page.keyboard.press("Control+Shift+F");
    await page.keyboard.type("thread");
    const field = page.getByLabel("Search for");
    await expect.poll(() => field.inputValue()).toBe("thread");
    await textbox(page).click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Control+Shift+ArrowRight");
    await page.keyboard.press("Control+Shift+F");
    await expect.poll(() => field.inputValue()).toBe("needle");
    expect(stage.complaints).toEqual([]);
  });

  it("and goes through what was found by keys: folds, leaves out, replaces in one file, opens", async () => {
    const stage = await Stage.open(browser(), {
      files: { "a.ts": "needle\nneedle\n", "b.ts": "needle\n", "src/c.ts": "a needle\n" },
    });
    const page = await stage.page();
    await page.keyboard.press("Control+Shift+F");
    await page.getByRole("button", { name: "Replace", exact: true }).click();
    await page.getByLabel("Replace by").fill("thread");
    await page.getByLabel("Search for").fill("needle");
    await page.getByText("4 matches in 3 files").waitFor();
    const results = page.getByRole("tree", { name: "Search results" });
    const rows = results.getByRole("treeitem");
    const current = results.locator('[aria-selected="true"]');
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await results.focus();
    await press("ArrowDown", "ArrowDown", "ArrowLeft");
    expect(await current.textContent()).toBe("a.ts2 matches");
    await press("ArrowLeft");
    await expect.poll(() => rows.count()).toBe(5);
    expect(await current.getAttribute("aria-expanded")).toBe("false");
    await press("ArrowRight", "ArrowRight", "ArrowRight");
    expect(await current.getAttribute("aria-level")).toBe("2");
    await press("Delete");
    await page.getByText("2 matches in 2 files").waitFor();
    await press("Home", "Control+Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("1 match in 1 file, b.ts, will be replaced by “thread”.").waitFor();
    await dialog.getByRole("button", { name: "Replace" }).click();
    await page.getByText("3 matches in 2 files").waitFor();
    expect(await readFile(join(stage.workspace.project, "b.ts"), "utf8")).toBe("thread\n");
    // The keys go on from where the pointer was.
    await rows.first().click();
    await expect.poll(() => rows.count()).toBe(3);
    await press(" ", "End", "Enter");
    await page.getByRole("tab", { name: "c.ts", selected: true }).waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("and finds and replaces what is typed but not saved; undo in the editor takes it back", async () => {
    const stage = await Stage.open(browser(), { files: { "a.ts": "let thread = 1;\n" } });
    const page = await stage.page();
    await openByName(page, "a.ts");
    await goToLine(page, 1);
    await page.keyboard.type("needle ");
    await page.keyboard.press("Control+Shift+F");
    await page.getByLabel("Search for").fill("needle");
    await page.getByText("1 match in 1 file").waitFor();
    await page.getByRole("button", { name: "Replace", exact: true }).click();
    await page.getByLabel("Replace by").fill("const");
    await page.getByRole("button", { name: "Replace all" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Open files are edited and stay unsaved.").waitFor();
    await dialog.getByRole("button", { name: "Replace" }).click();
    await textbox(page).getByText("const let thread = 1;").waitFor();
    const saved = await readFile(join(stage.workspace.project, "a.ts"), "utf8");
    expect(saved).toBe("let thread = 1;\n");
    await textbox(page).click();
    await page.keyboard.press("Control+Z");
    await textbox(page).getByText("needle let thread = 1;").waitFor();
    expect(stage.complaints).toEqual([]);
  });
});

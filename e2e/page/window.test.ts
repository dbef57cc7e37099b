import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { inBrowser } from "../src/in-browser.js";
import { giveCommand, openByName, textbox } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";

const files = { "a.ts": "const a = 1;\n", "b.ts": "const b = 2;\n" };

const tab = (page: Page, name: string) => page.getByRole("tab", { name });
const shown = (page: Page) => page.getByRole("tab", { selected: true });
const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme);
const region = (page: Page) =>
  page.evaluate(() =>
    document.activeElement?.closest("[data-region]")?.getAttribute("data-region"),
  );

inBrowser("the window", (browser) => {
  async function open() {
    const stage = await Stage.open(browser(), { files });
    return { stage, page: await stage.page() };
  }

  it("says without a tab what to type, ready to be copied", async () => {
    const { stage, page } = await open();
    await page.getByRole("heading", { name: "Connect an agent" }).waitFor();
    await page.getByRole("button", { name: "Copy “claude --ide”" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("claude --ide");
    await stage.agent("Ada’s agent");
    await page.getByRole("heading", { name: "Ada’s agent is connected" }).waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("tells of a proposal without taking the focus or the view, and goes back when it ends", async () => {
    const { stage, page } = await open();
    const agent = await stage.agent();
    await openByName(page, "b.ts");
    await textbox(page).click();
    const path = stage.workspace.path("a.ts");
    const answer = agent.tools.openDiff({
      old_file_path: path,
      new_file_path: path,
      new_file_contents: "const a = 3;\n",
      tab_name: "proposal",
    });
    await page.getByRole("button", { name: "Review, 1 waiting" }).waitFor();
    expect(await page.title()).toMatch(/^\(1\) ● .+ — Lockstep$/);
    expect(await shown(page).textContent()).toContain("b.ts");
    await page.keyboard.type("still here");
    await textbox(page).filter({ hasText: "still here" }).waitFor();
    // A message that is put away gives the focus back.
    const messages = page.getByRole("region", { name: "Notifications" });
    await messages.getByRole("button", { name: "Dismiss" }).click();
    await page.keyboard.type(", and on");
    await textbox(page).filter({ hasText: "still here, and on" }).waitFor();

    await page.keyboard.press("Control+Shift+Y");
    await page.getByRole("tab", { name: "a.ts Test agent, review", selected: true }).waitFor();
    await page.keyboard.press("Alt+W");
    await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
    expect(await answer).toMatchObject({ kind: "rejected" });
    await page.getByRole("tab", { name: "b.ts, unsaved", selected: true }).waitFor();
    expect(await page.title()).not.toContain("●");
  });

  it("tells two proposals for one file apart", async () => {
    const { stage, page } = await open();
    const agents = [await stage.agent("Ada"), await stage.agent("Grace"), await stage.agent("Ada")];
    const path = stage.workspace.path("a.ts");
    for (const [index, agent] of agents.entries()) {
      const answer = agent.tools.openDiff({
        old_file_path: path,
        new_file_path: path,
        new_file_contents: `const a = ${index};\n`,
        tab_name: `proposal ${index}`,
      });
      // Nobody answers them here.
      answer.catch(() => {});
      await page.getByRole("tab").nth(index).waitFor();
    }
    for (const name of ["a.ts Ada (1), review", "a.ts Grace, review", "a.ts Ada (2), review"]) {
      await page.getByRole("tab", { name, exact: true }).waitFor();
    }
  });

  it("lists all tabs where they do not fit, and keeps the shown one in sight", async () => {
    const many = Array.from({ length: 24 }, (_, index) => `file-${index + 10}.ts`);
    const stage = await Stage.open(browser(), {
      files: Object.fromEntries(many.map((name) => [name, `// ${name}\n`])),
    });
    const page = await stage.page();
    for (const name of many) await openByName(page, name);
    const inSight = (name: string) =>
      expect
        .poll(async () => {
          const strip = await page.getByRole("tablist", { name: "Open tabs" }).boundingBox();
          const at = await page.getByRole("tab", { name }).boundingBox();
          if (!strip || !at) return null;
          return at.x >= strip.x && at.x + at.width <= strip.x + strip.width + 1;
        })
        .toBe(true);
    await inSight("file-33.ts");
    await page.getByRole("button", { name: "All tabs" }).click();
    await page.getByRole("menuitem", { name: "file-33.ts" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "file-10.ts", selected: true }).waitFor();
    await inSight("file-10.ts");
    await page.keyboard.press("Alt+0");
    await page.getByRole("menuitem", { name: "file-10.ts" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await inSight("file-33.ts");
    await page.setViewportSize({ width: 900, height: 700 });
    await inSight("file-33.ts");
    expect(stage.complaints).toEqual([]);
  });

  it("says what went wrong where it covers nothing, and keeps it to be read again", async () => {
    const { stage, page } = await open();
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1}\n`).join("");
    await writeFile(stage.workspace.path("b.ts"), lines);
    await openByName(page, "b.ts");
    await textbox(page).click();
    await page.keyboard.press("Control+End");
    await giveCommand(page, "Copy Path");
    const toast = page.getByRole("region", { name: "Notifications" });
    await toast.getByText("Copied the path").waitFor();
    const box = async (part: string) => {
      const found = await page.locator(part).boundingBox();
      if (!found) throw new Error(`${part} is not in sight`);
      return found;
    };
    const [middle, below, status] = [
      await box("#shell-middle"),
      await box(".toasts"),
      await box("footer"),
    ];
    expect(middle.y + middle.height).toBeLessThanOrEqual(below.y);
    expect(below.y + below.height).toBeLessThanOrEqual(status.y);
    const caret = await box(".cm-cursor-primary");
    expect(caret.y + caret.height).toBeLessThanOrEqual(below.y + 1);
    await page.keyboard.press("Escape");
    await toast.getByText("Copied the path").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Show 1 message" }).click();
    await page.getByRole("dialog", { name: "Messages" }).getByText("Copied the path").waitFor();
  });

  it("asks before it closes a tab with unsaved edits", async () => {
    const { stage, page } = await open();
    const dialog = page.getByRole("dialog", { name: "Save a.ts?" });
    await openByName(page, "a.ts");
    await textbox(page).click();
    await page.keyboard.type("// one\n");
    await page.keyboard.press("Alt+W");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await tab(page, "a.ts, unsaved").waitFor();
    expect(await region(page)).toBe("middle");

    await page.keyboard.press("Alt+W");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await tab(page, "a.ts").waitFor({ state: "detached" });
    expect(await stage.workspace.read("a.ts")).toContain("// one");

    await openByName(page, "a.ts");
    await textbox(page).click();
    await page.keyboard.type("// two\n");
    await page.keyboard.press("Alt+W");
    await dialog.getByRole("button", { name: "Don’t save" }).click();
    await tab(page, "a.ts").waitFor({ state: "detached" });
    expect(await stage.workspace.read("a.ts")).not.toContain("// two");
  });

  it("gives a new document a name when it is saved, and asks before it replaces a file", async () => {
    const { stage, page } = await open();
    await page.keyboard.press("Control+Alt+N");
    await page.getByRole("tab", { name: /^Untitled/, selected: true }).waitFor();
    await textbox(page).click();
    await page.keyboard.type("mine");
    await page.keyboard.press("Control+S");
    await page.getByLabel("File, from the project’s folder").fill("b.ts");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Replace the file?" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await stage.workspace.read("b.ts")).toBe(files["b.ts"]);

    await page.getByLabel("File, from the project’s folder").fill("absent/c.md");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "c.md", exact: true, selected: true }).waitFor();
    expect(await stage.workspace.read("absent/c.md")).toContain("mine");
    const inText = "document.activeElement?.classList.contains('cm-content')";
    await expect.poll(() => page.evaluate(inText)).toBe(true);
    await page.keyboard.type(" goes on");
    await textbox(page).filter({ hasText: "mine goes on" }).waitFor();
    expect(await tab(page, "Untitled").count()).toBe(0);
  });

  it("is gone through by keys: parts, tabs, palette", async () => {
    const { page } = await open();
    await openByName(page, "a.ts");
    await tab(page, "a.ts").dblclick();
    await openByName(page, "b.ts");
    await textbox(page).click();
    const seen = new Set<unknown>();
    for (let step = 0; step < 5; step++) {
      seen.add(await region(page));
      await page.keyboard.press("F6");
    }
    expect([...seen].sort()).toEqual(["middle", "rail", "sidebar", "status", "tabs"]);
    expect(await region(page)).toBe("middle");

    const names = async () => (await page.getByRole("tab").allTextContents()).join(" ");
    expect(await names()).toBe("a.ts b.ts");
    await page
      .getByRole("tab")
      .nth(1)
      .dragTo(page.getByRole("tab").nth(0), {
        targetPosition: { x: 4, y: 10 },
      });
    await page.getByRole("tab").first().filter({ hasText: "b.ts" }).waitFor();
    await page.keyboard.press("Alt+Shift+PageDown");
    await page.getByRole("tab").first().filter({ hasText: "a.ts" }).waitFor();
    await page.keyboard.press("Alt+PageUp");
    await page.getByRole("tab", { name: "a.ts", selected: true }).press("ArrowRight");
    await page.getByRole("tab", { name: "b.ts", selected: true }).waitFor();

    await page.keyboard.press("F1");
    const chooses = async (key: string, index: number) => {
      await page.keyboard.press(key);
      const option = page.getByRole("option").nth(index);
      expect(await option.getAttribute("aria-selected"), key).toBe("true");
    };
    await chooses("ArrowUp", -1);
    await chooses("ArrowDown", 0);
    await chooses("PageDown", 10);
    await chooses("Control+P", 11);
    await page.getByRole("combobox", { name: "Command" }).fill("tosb");
    await page.getByRole("option", { name: "View: Toggle Sidebar" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("complementary").waitFor({ state: "detached" });
    await page.keyboard.press("Control+B");
    await page.getByRole("complementary").waitFor();
  });

  it("takes a theme for all windows, and follows the system without one", async () => {
    const { stage, page } = await open();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    const other = await stage.anotherPage();
    await page.keyboard.press("Control+Comma");
    await page.getByRole("combobox", { name: "Theme" }).selectOption("light");
    for (const each of [page, other])
      await each.waitForFunction(() => document.documentElement.dataset.theme === "light");
    const file = join(stage.workspace.home, ".config/lockstep/lockstep.json");
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ theme: "light" });
    await page.getByRole("button", { name: "Reset Theme" }).click();
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    expect(await theme(page)).toBe("dark");
  });

  it("saves when the person leaves it, where they want that", async () => {
    const { stage, page } = await open();
    await page.keyboard.press("Control+Comma");
    await page.getByRole("combobox", { name: "Save by itself" }).selectOption("onFocusChange");
    await page.keyboard.press("Alt+W");
    await openByName(page, "a.ts");
    await textbox(page).click();
    await page.keyboard.type("// left\n");
    await tab(page, "a.ts, unsaved").waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event("blur")));
    await page.getByRole("tab", { name: "a.ts", exact: true }).waitFor();
    expect(await stage.workspace.read("a.ts")).toContain("// left");
  });

  it("shows what is wrong with a file of settings, where it is edited", async () => {
    const { stage, page } = await open();
    await page.keyboard.press("Control+Comma");
    await writeFile(stage.workspace.path("lockstep.json"), '{\n  "tabSize": "wide"\n}\n');
    await page.getByText("line 2: “tabSize” must be a whole number from 1 to 16.").waitFor();
    await page.getByText("This project’s", { exact: true }).click();
    await page.getByRole("textbox", { name: "Size of code" }).fill("15");
    await page.keyboard.press("Tab");
    await page.getByText(/Put that right first/).waitFor();
    await page.getByRole("button", { name: "Open the file" }).click();
    await page.getByRole("tab", { name: "lockstep.json", selected: true }).waitFor();
  });

  it("stays readable without the editor, comes back with it, and says so when its pass is not known", async () => {
    const { stage, page } = await open();
    await openByName(page, "a.ts");
    await stage.lockstep.kill();
    await page.getByText("Reconnecting to Lockstep…").waitFor();
    await textbox(page).filter({ hasText: "const a" }).waitFor();
    await stage.crash();
    await page.getByText("Reconnecting to Lockstep…").waitFor({ state: "detached" });
    await stage.context.clearCookies();
    await stage.crash();
    await page.getByRole("heading", { name: "This link to Lockstep has expired" }).waitFor();
  });
});

import type { Browser, Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { faultsOf } from "../src/axe.js";
import { inBrowser } from "../src/in-browser.js";
import { openByName, textbox } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";

const files = {
  "src/a.ts": "export const a = 1;\n",
  "b.md": "# Title\n",
  "c/b.md": "x\n",
  "data.zip": "PK\x03\x04\0",
};

/** The page may not be scripted from outside, but for the checker. */
async function look(
  browser: Browser,
  stage: Stage,
  options: { colorScheme: "light" | "dark"; hasTouch?: boolean; viewport?: Size },
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 720 },
    ...options,
    bypassCSP: true,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(stage.lockstep.announcement.url ?? "");
  await page.getByRole("navigation", { name: "Views" }).waitFor();
  return page;
}
interface Size {
  readonly width: number;
  readonly height: number;
}

inBrowser("axe finds nothing", (browser) => {
  it.each(["light", "dark"] as const)("wrong with any view, in %s", async (colorScheme) => {
    const stage = await Stage.open(browser(), { files });
    const page = await look(browser(), stage, { colorScheme });
    const isClean = async (what: string) => expect(await faultsOf(page), what).toEqual([]);
    await page.getByRole("treeitem").first().waitFor();
    await isClean("welcome");

    await openByName(page, "c/b.md");
    await openByName(page, "b.md");
    await openByName(page, "a.ts");
    await textbox(page).click();
    await page.keyboard.type("// typed\n");
    await page.getByRole("tab", { name: "a.ts, unsaved" }).waitFor();
    await isClean("editing");
    await page.keyboard.press("Alt+W");
    await page.getByRole("dialog").waitFor();
    await isClean("a question");
    await page.keyboard.press("Escape");

    const agent = await stage.agent();
    const path = stage.workspace.path("b.md");
    void agent.tools
      .openDiff({
        old_file_path: path,
        new_file_path: path,
        new_file_contents: "# Other title\n",
        tab_name: "proposal",
      })
      .catch(() => {});
    await page.getByRole("button", { name: "Review, 1 waiting" }).waitFor();
    await isClean("an arrival");
    await page.keyboard.press("Control+Shift+Y");
    await page.getByRole("button", { name: "Accept" }).first().waitFor();
    await page.keyboard.press("Control+Shift+G");
    await page.getByRole("complementary", { name: "Review" }).getByText("b.md").waitFor();
    await isClean("a review and the queue");

    await page.keyboard.press("Control+Shift+A");
    await page.getByRole("complementary", { name: "Agents" }).getByText("Test agent").waitFor();
    await isClean("agents");
    await page.keyboard.press("Control+Shift+F");
    await page.keyboard.type("title");
    await page.getByRole("complementary", { name: "Search" }).getByText("b.md").first().waitFor();
    await isClean("search");
    await page.keyboard.press("Control+Backquote");
    await page.locator(".xterm").waitFor();
    await isClean("terminal");
    await page.keyboard.press("Control+Backquote");

    await page.keyboard.press("F1");
    await page.getByRole("combobox", { name: "Command" }).waitFor();
    await isClean("palette");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+P");
    await page.getByRole("combobox").fill("b");
    await page.getByRole("option").first().waitFor();
    await isClean("quick open");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+Shift+Slash");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await isClean("shortcuts");
    await page.keyboard.press("Escape");

    await page.keyboard.press("Control+Shift+E");
    await page.getByRole("treeitem", { name: "data.zip" }).click();
    await page.getByText("data.zip is not text").waitFor();
    await isClean("a file that is not text");
    await page.getByRole("button", { name: "Mention to agent" }).click();
    await page.getByText("Mentioned data.zip.").waitFor();
    await isClean("a message");
    await page.getByRole("button", { name: /^Show \d+ messages?$/ }).click();
    await page.getByRole("dialog", { name: "Messages" }).waitFor();
    await isClean("the messages");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Alt+0");
    await page.getByRole("menu", { name: "All tabs" }).waitFor();
    await isClean("all tabs");
    await page.keyboard.press("Escape");

    await stage.workspace.write("lockstep.json", '{ "tabSize": 0 }');
    await page.keyboard.press("Control+Comma");
    await page.getByText(/“tabSize” must be/).waitFor();
    await isClean("settings");
    await stage.lockstep.kill();
    await page.getByText("Reconnecting to Lockstep…").waitFor();
    await isClean("lost");
  });

  it("wrong on a tablet held upright, where the sidebar lies over the middle and fingers hit", async () => {
    const stage = await Stage.open(browser(), { files });
    const page = await look(browser(), stage, {
      colorScheme: "light",
      hasTouch: true,
      viewport: { width: 820, height: 1180 },
    });
    await page.getByRole("button", { name: "Files" }).tap();
    await page.getByRole("complementary", { name: "Files" }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("treeitem", { name: "b.md" }).tap();
    await page.getByRole("tab", { name: "b.md", selected: true }).waitFor();
    await page.getByRole("complementary").waitFor({ state: "detached" });
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      820,
    );

    const small = await page.getByRole("button").evaluateAll((buttons) =>
      buttons
        .filter((button) => button.getClientRects().length > 0)
        .map((button) => ({ name: button.outerHTML, box: button.getBoundingClientRect() }))
        .filter(({ box }) => box.width < 24 || box.height < 24)
        .map(({ name }) => name),
    );
    expect(small).toEqual([]);
  });
});

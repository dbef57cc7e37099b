import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { inBrowser } from "../src/in-browser.js";
import { reviewTab, textbox } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";
import { openTerminal, terminalScreen, terminalShows } from "../src/terminal-acts.js";

/** Markup that would leave a trace if anything took it for markup. */
const trap = (text: string) => `<img id=trap src=x onerror=document.title=1>${text}`;
const traps = (page: Page) => page.locator("#trap").count();

inBrowser("what comes from outside", (browser) => {
  it("is text and never markup: names, contents, matches, proposals, agents, titles", async () => {
    const name = trap("a.md");
    const content = `${trap("needle")}\n\n[x](javascript:alert(1)) <script>document.title=1</script>\n`;
    const stage = await Stage.open(browser(), { files: { [name]: content } });
    const page = await stage.page();
    const agent = await stage.agent(trap("agent"));
    await page.getByRole("treeitem", { name }).dblclick();
    await textbox(page)
      .filter({ hasText: content.split("\n")[0] ?? "" })
      .waitFor();

    const path = stage.workspace.path(name);
    const tab_name = trap("tab");
    const new_file_contents = content.replace("needle", trap("thread"));
    const paths = { old_file_path: path, new_file_path: path };
    void agent.tools.openDiff({ ...paths, new_file_contents, tab_name }).catch(() => {});
    await page.getByRole("tab", { name: /, review$/ }).click();
    await page.getByRole("heading", { name }).waitFor();
    await page.getByRole("toolbar", { name: "Changes" }).getByText("decided").waitFor();

    await page.keyboard.press("Control+Shift+F");
    await page.keyboard.type("needle");
    await page.getByRole("treeitem").filter({ hasText: "onerror" }).first().waitFor();
    await page.getByRole("contentinfo").getByRole("button", { name: /agent/ }).click();
    await page.getByText(trap("agent")).first().waitFor();

    await openTerminal(page);
    await page.keyboard.type(`printf '\\033]0;${trap("title")}\\007'\n`);
    await page.getByRole("tab", { name: trap("title") }).waitFor();
    expect(await traps(page)).toBe(0);
    expect(await page.title()).not.toBe("1");
    expect(stage.complaints).toEqual([]);
  });

  it("cannot turn a name around: the mark that would is shown", async () => {
    const stage = await Stage.open(browser(), { files: { "\u202etxt.exe": "x\n" } });
    const page = await stage.page();
    await page.getByRole("treeitem", { name: "\ufffdtxt.exe" }).dblclick();
    await page.getByRole("tab", { name: "\ufffdtxt.exe", selected: true }).waitFor();
    await page.keyboard.press("Control+P");
    await page.getByRole("option", { name: /^\ufffdtxt\.exe/ }).waitFor();
    expect(await page.locator("body").textContent()).not.toContain("\u202e");
  });

  it("cannot make a proposal look like another: what turns or hides text is marked on all sides", async () => {
    const hidden = "\u202a\u202c\u2068\u3164\u2060\u{e0041}x\ufe01\ufe02❤\ufe0f";
    const names = ["LRE", "PDF", "FSI", "U+3164", "WJ", "U+E0041", "U+FE01"];
    const files = { "a.txt": `one${hidden}\n` };
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    const agent = await stage.agent();
    const path = stage.workspace.path("a.txt");
    const paths = { old_file_path: path, new_file_path: path, tab_name: "a" };
    const new_file_contents = `two${hidden}\n`;
    void agent.tools.openDiff({ ...paths, new_file_contents }).catch(() => {});
    await reviewTab(page, "a.txt").click();
    const marks = page.getByRole("main").locator(".cm-specialChar");
    for (const layout of ["Side by side", "Inline"]) {
      await page.getByRole("button", { name: layout }).click();
      await expect.poll(() => marks.allTextContents()).toEqual([...names, ...names]);
    }
  });

  it("cannot style the page by a project's settings", async () => {
    const fontFamily = "x; } * { display: none !important } x {";
    const files = { "lockstep.json": JSON.stringify({ fontFamily }) };
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    await openTerminal(page);
    await page.keyboard.type("echo still here\n");
    await terminalShows(page, /^still here$/m);
    const styles = await page.locator("style").allTextContents();
    expect(styles.join("")).not.toContain("none !important } x");
    expect(await page.getByRole("navigation", { name: "Views" }).isVisible()).toBe(true);
  });

  it("cannot reach the clipboard from the terminal, nor open anything but a web address", async () => {
    const stage = await Stage.open(browser());
    const page = await stage.page();
    await page.evaluate(() => navigator.clipboard.writeText("mine"));
    await openTerminal(page);
    const osc = (text: string) => `\\033]${text}\\007`;
    const link = (to: string, text: string) => `${osc(`8;;${to}`)}${text}${osc("8;;")}`;
    const links = `${link("javascript:document.title=1", "trapped")}\\n${link("http://127.0.0.1:9/", "honest")}`;
    await page.keyboard.type(`printf '${osc("52;c;ZXZpbA==")}${links}\\n'\n`);
    await terminalShows(page, /^honest$/m);
    /** Follows a link as people do, when its hint is there; what is no link has none. */
    const follow = async (text: string, hint?: string) => {
      const row = page.locator(".xterm-rows > div").filter({ hasText: new RegExp(`^${text}`) });
      const place = { position: { x: 10, y: 5 }, force: true };
      await row.hover(place);
      if (hint !== undefined) await page.locator(`[title*="${hint}"]`).waitFor();
      await row.click({ ...place, modifiers: ["Control"] });
    };
    await follow("trapped");
    const opened = stage.context.waitForEvent("page");
    await follow("honest", "http://127.0.0.1:9/");
    await (await opened).close();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("mine");
    expect(await page.title()).not.toBe("1");
    expect(stage.context.pages()).toHaveLength(1);
  });

  it("cannot run a command by being pasted into the terminal", async () => {
    const stage = await Stage.open(browser());
    const page = await stage.page();
    await openTerminal(page);
    await page.keyboard.type("echo ready\n");
    // With its prompt the shell says that it can tell a paste.
    await terminalShows(page, /^ready\n.*[#$]$/m);
    await page.getByRole("textbox", { name: /^Terminal / }).evaluate((field) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "echo harmless\u001b[201~\necho $((6*7))harm\n");
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    });
    await terminalShows(page, /harm$/m);
    await page.keyboard.press("Control+C");
    await page.keyboard.type("echo done\n");
    await terminalShows(page, /^done$/m);
    expect(await terminalScreen(page)).not.toContain("42harm");
  });
});

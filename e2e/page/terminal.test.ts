import { expect, it } from "vitest";
import { inBrowser } from "../src/in-browser.js";
import { openByName, textbox } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";
import { openTerminal, terminalScreen, terminalShows } from "../src/terminal-acts.js";

inBrowser("the built-in terminal", (browser) => {
  async function open() {
    const stage = await Stage.open(browser(), { files: { "a.txt": "one\n" } });
    const page = await stage.page();
    return { stage, page };
  }

  it("is a real one in the project's folder, where agents find this editor", async () => {
    const { stage, page } = await open();
    await openTerminal(page);
    await page.keyboard.type("tty && pwd && echo port $CLAUDE_CODE_SSE_PORT\n");
    await terminalShows(page, /\/dev\/pts\/\d+/);
    await terminalShows(page, new RegExp(`port ${stage.lockstep.announcement.port}`));
    expect((await terminalScreen(page)).replaceAll("\n", "")).toContain(stage.workspace.project);
    expect(stage.complaints).toEqual([]);
  });

  it("is entered and left by one key, and its other keys belong to its program", async () => {
    const { page } = await open();
    await openByName(page, "a.txt");
    await openTerminal(page);
    await page.keyboard.type("echo first\n");
    await terminalShows(page, /^first$/m);
    // In the editor this opens a file by name; in a shell it is the line before.
    await page.keyboard.press("Control+P");
    await page.keyboard.press("Enter");
    await terminalShows(page, /^first$[\s\S]*^first$/m);
    await page.keyboard.press("Control+Backquote");
    await page.keyboard.type("typed ");
    await textbox(page).filter({ hasText: "typed one" }).waitFor();
  });

  it("goes on over a reload, and in every window", async () => {
    const { stage, page } = await open();
    await openTerminal(page);
    await page.keyboard.type("read -p 'who? ' who; echo hello $who\n");
    await terminalShows(page, /^who\?/m);
    await page.reload();
    await terminalShows(page, /^who\?/m);
    const other = await stage.anotherPage();
    await openTerminal(other);
    await terminalShows(other, /^who\?/m);
    await other.keyboard.type("ada\n");
    await terminalShows(page, /^hello ada$/m);
    await terminalShows(other, /^hello ada$/m);
  });

  it("stands at its end when it comes to the front after a reload, below its tabs", async () => {
    const { page } = await open();
    await openTerminal(page);
    await page.keyboard.type("seq 1 60; echo the end\n");
    await terminalShows(page, /^the end$/m);
    await page.keyboard.press("Control+Shift+Backquote");
    await terminalShows(page, (screen) => !screen.includes("the end"));
    await page.reload();
    const tabs = page.locator(".terminal-panel").getByRole("tab");
    await tabs.first().click();
    await terminalShows(page, /^the end$/m);
    await page.keyboard.type("echo again\n");
    await terminalShows(page, /^again$/m);
    const top = async (name: string) => (await page.locator(name).first().boundingBox())?.y;
    expect(await top(".terminal-tabs")).toBe(await top(".shell-panel"));
  });

  it("stays usable in a flood", async () => {
    const { page } = await open();
    await openTerminal(page);
    await page.keyboard.type("yes\n");
    await terminalShows(page, /y\ny\ny\ny/);
    await page.keyboard.press("Control+C");
    await page.keyboard.type("echo o''ver\n");
    await terminalShows(page, /^over$/m);
  });

  it("says how its shell ended, and closes by Enter", async () => {
    const { page } = await open();
    await openTerminal(page);
    await page.keyboard.type("exit 3\n");
    await page.getByText("The shell ended with exit code 3").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("A terminal in this folder").waitFor();
  });
});

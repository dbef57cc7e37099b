import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { inBrowser } from "../src/in-browser.js";
import { Journal } from "../src/journal.js";
import { goToLine, openByName, reviewTab, selectLines, textbox } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";

const files = { "a.txt": "one\ntwo\n", "b.txt": "bee\n" };

inBrowser("after a crash or a reload", (browser) => {
  it("tabs and unsaved edits are there, and undo still works on what is typed next", async () => {
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    await openByName(page, "b.txt");
    await openByName(page, "a.txt");
    await goToLine(page, 1);
    await page.keyboard.type("typed ");
    await page.getByRole("tab", { name: /a\.txt.*unsaved/i }).waitFor();
    await page.reload();
    await textbox(page).filter({ hasText: "typed one" }).waitFor();
    await page.getByRole("tab", { name: "b.txt" }).waitFor();
    await goToLine(page, 2);
    await page.keyboard.type("more ");
    await page.keyboard.press("Control+Z");
    await textbox(page).filter({ hasText: "typed one" }).waitFor();
    expect(await stage.workspace.read("a.txt")).toBe("one\ntwo\n");
  });

  it("of the server, the page goes on by itself: nothing typed is lost, before or meanwhile", async () => {
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    await openByName(page, "a.txt");
    await goToLine(page, 1);
    await page.keyboard.type("before ");
    await page.getByRole("tab", { name: /a\.txt.*unsaved/i }).waitFor();
    await stage.lockstep.kill();
    await page.keyboard.type("meanwhile ");
    await stage.crash();
    await page.keyboard.type("after ");
    await page.keyboard.press("Control+S");
    await expect
      .poll(() => stage.workspace.read("a.txt"))
      .toBe("before meanwhile after one\ntwo\n");
  });

  it("the agent has attached itself again and hears selections", async () => {
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    const agent = await stage.agent("Faithful agent");
    const heard = new Journal<string>("selection", (text) => text);
    agent.on("selection_changed", ({ text }) => heard.note(text));
    await openByName(page, "a.txt");
    await stage.crash();
    await page.getByText("Faithful agent").first().waitFor();
    await selectLines(page, 2, 2);
    await heard.waitFor((text) => text === "two\n");
  });

  it("a review that was turned to meanwhile shows as soon as there is an answer", async () => {
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    const agent = await stage.agent();
    const path = stage.workspace.path("a.txt");
    const paths = { old_file_path: path, new_file_path: path };
    const contents = { new_file_contents: "one\nsecond\n", tab_name: "proposal" };
    // The agent goes with the server; nobody answers it here.
    agent.tools.openDiff({ ...paths, ...contents }).catch(() => {});
    await reviewTab(page, "a.txt").waitFor();
    await stage.lockstep.kill();
    await page.getByText("Reconnecting to Lockstep…").waitFor();
    await reviewTab(page, "a.txt").click();
    await page.getByRole("region", { name: "Review of a.txt" }).waitFor();
    await stage.crash();
    await page.getByText("second").first().waitFor();
  });

  it("a person whose address is used up is told what to do", async () => {
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    await stage.context.clearCookies();
    await stage.crash();
    await page.getByText("This link to Lockstep has expired").first().waitFor();
  });
});

inBrowser("two windows on one document", (browser) => {
  it("stay in step, letter by letter, both ways", async () => {
    const stage = await Stage.open(browser(), { files });
    const one = await stage.page();
    await openByName(one, "a.txt");
    const two = await stage.anotherPage();
    await openByName(two, "a.txt");
    await goToLine(one, 1);
    await goToLine(two, 2);
    await Promise.all([
      one.keyboard.type("from one ", { delay: 5 }),
      two.keyboard.type("from two ", { delay: 5 }),
    ]);
    for (const page of [one, two]) {
      await textbox(page).filter({ hasText: "from one one" }).waitFor();
      await textbox(page).filter({ hasText: "from two two" }).waitFor();
    }
    await one.keyboard.press("Control+S");
    await expect.poll(() => stage.workspace.read("a.txt")).toBe("from one one\nfrom two two\n");
  });

  it("and the file on disk: a change elsewhere shows at once, or asks if there are edits", async () => {
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    await openByName(page, "a.txt");
    await writeFile(stage.workspace.path("a.txt"), "one\nTWO\n");
    await textbox(page).filter({ hasText: "TWO" }).waitFor();
    await goToLine(page, 1);
    await page.keyboard.type("mine ");
    await page.getByRole("tab", { name: /a\.txt.*unsaved/i }).waitFor();
    await writeFile(stage.workspace.path("a.txt"), "one\nthree\n");
    await page.getByRole("button", { name: /keep mine/i }).waitFor();
    await page.getByRole("button", { name: /take the file/i }).waitFor();
    await page.getByRole("button", { name: /merge/i }).waitFor();
    await textbox(page).filter({ hasText: "mine one" }).waitFor();
  });
});

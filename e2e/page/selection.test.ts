import { expect, it } from "vitest";
import { inBrowser } from "../src/in-browser.js";
import { Journal } from "../src/journal.js";
import { openByName, selectLines, sharingSwitch, sight, textbox } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";

const files = { "src/a.ts": "one\ntwo\nthree\nfour\n", ".env": "KEY=swordfish\n" };

/** All that the agent is told of selections, as it comes. */
async function heardBy(stage: Stage) {
  const agent = await stage.agent();
  const heard = new Journal<string>("selection", (text) => text);
  agent.on("selection_changed", ({ text, filePath }) => heard.note(`${filePath}|${text}`));
  return { agent, heard };
}

inBrowser("what the person selects", (browser) => {
  it("reaches the agent, and the status bar says so in words", async () => {
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    const { heard } = await heardBy(stage);
    await openByName(page, "a.ts");
    await selectLines(page, 2, 3);
    await heard.waitFor((text) => text.endsWith("a.ts|two\nthree\n"));
    await sight(page).filter({ hasText: "lines 2–3 of a.ts" }).waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("is not told while the switch is off, which stays off over a reload and a crash", async () => {
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    const { heard } = await heardBy(stage);
    await openByName(page, "a.ts");
    await heard.waitFor((text) => text.endsWith("a.ts|"));
    await sharingSwitch(page).click();
    await sight(page).filter({ hasText: "off" }).waitFor();
    await selectLines(page, 2, 3);
    await page.reload();
    await textbox(page).waitFor();
    expect(await sharingSwitch(page).getAttribute("aria-checked")).toBe("false");
    await stage.crash();
    await sight(page).filter({ hasText: "off" }).waitFor();
    await selectLines(page, 1, 2);
    await sharingSwitch(page).click();
    // Only now, and the one before was never told.
    await heard.waitFor((text) => text.endsWith("a.ts|one\ntwo\n"));
    expect(heard.entries.filter((text) => text.includes("three"))).toEqual([]);
  });

  it("in a file with secrets is withheld, and the page shows that it is", async () => {
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    const { heard, agent } = await heardBy(stage);
    await openByName(page, ".env");
    await selectLines(page, 1, 1);
    await sight(page)
      .filter({ hasText: /withheld/i })
      .waitFor();
    await agent.tools.getOpenEditors();
    expect(heard.entries.join()).not.toContain("swordfish");
  });

  it("is mentioned by Alt+K, whatever letter that key types, and by a button", async () => {
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    const agent = await stage.agent();
    const mentions = new Journal<string>("mention", (text) => text);
    agent.on("at_mentioned", ({ filePath, lines }) =>
      mentions.note(`${filePath} ${lines?.first}-${lines?.last}`),
    );
    await openByName(page, "a.ts");
    await selectLines(page, 2, 3);
    // On a Mac, Option and K give another character: the key's code is what counts.
    const key = { key: "˚", code: "KeyK", altKey: true, bubbles: true, cancelable: true };
    await textbox(page).dispatchEvent("keydown", key);
    await mentions.waitFor((text) => text.endsWith("a.ts 1-2"));
    await selectLines(page, 1, 1);
    await page.getByRole("button", { name: "Mention the selection to agents" }).click();
    await mentions.waitFor((text) => text.endsWith("a.ts 0-0"));
  });

  it("and files and folders are mentioned from the tree, by their menu", async () => {
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    const agent = await stage.agent();
    const mentions = new Journal<string>("mention", (text) => text);
    agent.on("at_mentioned", ({ filePath, lines }) => mentions.note(`${filePath} ${lines}`));
    const folder = page.getByRole("treeitem", { name: "src" });
    await folder.click({ button: "right" });
    await page.getByRole("menuitem", { name: /mention/i }).click();
    await mentions.waitFor((text) => text === `${stage.workspace.path("src")} null`);
    await folder.click();
    await page.getByRole("treeitem", { name: "a.ts" }).click({ button: "right" });
    await page.getByRole("menuitem", { name: /mention/i }).click();
    await mentions.waitFor((text) => text === `${stage.workspace.path("src/a.ts")} null`);
  });
});

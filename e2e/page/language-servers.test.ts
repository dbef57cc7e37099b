import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { expect, it } from "vitest";
import { inBrowser } from "../src/in-browser.js";
import { openByName } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";

const script = fileURLToPath(
  new URL("../../packages/workbench/test/languages/fake-server.mjs", import.meta.url),
);

const status = (page: Page) => page.locator("footer .language-status");
const servers = (page: Page) => page.getByRole("dialog", { name: "Language servers" });
const entry = (page: Page, name: string) =>
  servers(page).getByRole("listitem").filter({ hasText: name });

/** The person has named a server for Lua, and opens a file of that language. */
async function open(browser: Browser, command: readonly string[]) {
  const fake = { name: "Fake", command, languages: ["lua"] };
  const stage = await Stage.open(browser, {
    files: { "a.lua": "print(1)\n" },
    settings: { languageServers: { fake } },
  });
  const page = await stage.page();
  await openByName(page, "a.lua");
  return { stage, page };
}
const behaving = (how: string) => [process.execPath, script, how];

inBrowser({ name: "a language server, in the status bar,", timeout: 120_000 }, (browser) => {
  it("that indexes says so, with how far it is, and is ready when it ends", async () => {
    const { stage, page } = await open(browser(), behaving("indexes"));
    await status(page).getByText("Indexing: 4/10").waitFor();
    const bar = status(page).getByRole("progressbar", { name: "Fake works" });
    expect(await bar.getAttribute("aria-valuenow")).toBe("40");
    await status(page).click();
    await entry(page, "Fake").getByText("working", { exact: true }).waitFor();
    await entry(page, "Fake").getByText("Indexing: 4/10").waitFor();
    await page.keyboard.press("Escape");
    await servers(page).waitFor({ state: "detached" });
    // It ends its work when it is asked something.
    await page.locator(".cm-content[aria-autocomplete]").click();
    await page.keyboard.press("Alt+I");
    await status(page).getByRole("progressbar").waitFor({ state: "detached" });
    await status(page).getByText("Fake", { exact: true }).waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("that does not answer its start is shown as starting, and the text can be edited", async () => {
    const { page } = await open(browser(), behaving("mute"));
    await status(page).getByText("Starting", { exact: true }).waitFor();
    await status(page).getByRole("progressbar", { name: "Fake works" }).waitFor();
    await page.locator(".cm-content").click();
    await page.keyboard.type("x");
    await page.locator(".cm-line", { hasText: "x" }).waitFor();
  });

  it("that crashes is started again, then given up; it says why, and Restart tries anew", async () => {
    const { stage, page } = await open(browser(), behaving("crashes"));
    await status(page).getByText("Fake starts again soon").waitFor();
    await status(page).getByText("Fake stopped").waitFor({ timeout: 60_000 });
    await status(page).click();
    const fake = entry(page, "Fake");
    await fake
      .getByText(
        "It ended with code 1: something is wrong with me. It is not started any more: restart it by hand.",
      )
      .waitFor();
    await fake.getByRole("button", { name: "Restart Fake" }).click();
    await fake.getByText("starts again soon", { exact: true }).waitFor();
    // The person mends it: it works without another word.
    const command = behaving("indexes");
    await stage.workspace.writeSettings({
      languageServers: { fake: { name: "Fake", command, languages: ["lua"] } },
    });
    await fake.getByText("Indexing: 4/10").waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("that is not on this machine is told with what to do, and tried again when asked to", async () => {
    const { stage, page } = await open(browser(), ["lua-server-that-is-not-there"]);
    await status(page).getByText("Fake", { exact: true }).waitFor();
    await status(page).click();
    const fake = entry(page, "Fake");
    await fake.getByText("not installed", { exact: true }).waitFor();
    await fake.getByText("There is no program lua-server-that-is-not-there.").waitFor();
    await fake.getByRole("button", { name: "Restart Fake" }).click();
    await fake.getByText("not installed", { exact: true }).waitFor();
    expect(stage.complaints).toEqual([]);
  });
});

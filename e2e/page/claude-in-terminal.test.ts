import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { claudeCommand, hasPrompt, inputLine } from "../src/claude.js";
import { inBrowser } from "../src/in-browser.js";
import { MessagesApi } from "../src/messages-api.js";
import { text, toolUse } from "../src/model-reply.js";
import { whyNoClaude } from "../src/needs.js";
import { openByName, reviewTab, selectLines } from "../src/page-acts.js";
import { DONE, noQuestion } from "../src/propose.js";
import { Stage } from "../src/stage.js";
import { openTerminal, terminalShows } from "../src/terminal-acts.js";

/** At the CLI's question whether to apply the edit, a "1" would be a yes. */
const REASON = "1. keep it quiet";

/** The CLI takes seconds to start on a machine that does other things too. */
const suite = {
  name: "the real CLI in the built-in terminal",
  timeout: 120_000,
  unless: whyNoClaude(),
};

inBrowser(suite, (browser) => {
  /** Lockstep with `claude` on its PATH, and a model that says what the test has scripted. */
  async function open() {
    const bin = await mkdtemp(join(tmpdir(), "lockstep-bin-"));
    onTestFinished(() => rm(bin, { recursive: true }));
    const api = await MessagesApi.start();
    onTestFinished(() => api.stop());
    const stage = await Stage.open(browser(), {
      files: { "a.txt": "one\ntwo\n" },
      env: { PATH: `${bin}:${process.env.PATH}` },
    });
    const { command, env } = await claudeCommand({ workspace: stage.workspace, api });
    const { PATH: _, ...own } = env;
    const settings = Object.entries(own).map(([name, value]) => `export ${name}='${value}'\n`);
    await writeFile(
      join(bin, "claude"),
      `#!/bin/sh\n${settings.join("")}exec ${command.join(" ")}\n`,
    );
    await chmod(join(bin, "claude"), 0o755);
    const page = await stage.page();
    await openByName(page, "a.txt");
    return { stage, page, api };
  }

  const input = (page: Page, words: RegExp) =>
    terminalShows(page, (screen) => words.test(inputLine(screen)));

  async function submit(page: Page, prompt: string): Promise<void> {
    await page.keyboard.type(prompt);
    await input(page, new RegExp(`${prompt}$`));
    await page.keyboard.press("Enter");
  }

  it("connects at once, sees the selection, and its edit is accepted on the page", async () => {
    const { stage, page, api } = await open();
    await selectLines(page, 1, 2);
    await openTerminal(page);
    await page.keyboard.type("claude\n");
    await page.getByRole("button", { name: "Claude Code" }).waitFor();
    await terminalShows(page, /⧉ 2 lines selected/);

    const edit = { file_path: stage.workspace.path("a.txt"), old_string: "one", new_string: "ONE" };
    api.script(toolUse("Edit", edit), text(DONE));
    await submit(page, "make it loud");
    await reviewTab(page, "a.txt").click();
    await page.getByRole("toolbar", { name: "Changes" }).getByText("decided").waitFor();
    await page.getByRole("button", { name: /^(Accept|Send)/ }).click();
    await terminalShows(page, new RegExp(DONE));
    expect(await stage.workspace.read("a.txt")).toBe("ONE\ntwo\n");
    const { news } = await api.nextRequest("make it loud");
    expect(news).toContain("The user selected the lines 1 to 2");
  });

  it("is given the reason of a rejection at its prompt, typed and not sent", async () => {
    const { stage, page, api } = await open();
    await page.keyboard.press("Control+Shift+KeyP");
    await page.getByRole("combobox").fill("Open Claude Code");
    await page.getByRole("option", { name: /Open Claude Code/ }).waitFor();
    await page.keyboard.press("Enter");
    await terminalShows(page, hasPrompt);
    await page.getByRole("button", { name: "Claude Code", exact: true }).first().waitFor();

    const edit = { file_path: stage.workspace.path("a.txt"), old_string: "one", new_string: "ONE" };
    api.script(toolUse("Edit", edit), text(DONE));
    await submit(page, "make it loud");
    await terminalShows(page, /Opened changes in Lockstep/);
    await reviewTab(page, "a.txt").click();
    await page.getByRole("button", { name: "Reject…" }).click();
    await page.getByRole("textbox", { name: "Reason for rejecting" }).fill(REASON);
    await page.keyboard.press("Enter");
    await input(page, /1\. keep it quiet$/);
    await terminalShows(page, noQuestion);
    expect(await stage.workspace.read("a.txt")).toBe("one\ntwo\n");
  });
});
